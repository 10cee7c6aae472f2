// The builder: operators that the program defines, with kernels that write, alias and hide.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/building.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

namespace {

/// A kernel, and the key for which it is registered; without a kernel it falls through.
struct Registration {
  std::string key;
  std::optional<CustomKernel> kernel = std::nullopt;
};

/// Makes one operator, or kernels of one; `slots` is the number of slots that are in use.
class OperatorMaker {
 public:
  OperatorMaker(ManyChoices& choices, std::size_t number, std::size_t& slots)
      : choices_(choices), number_(static_cast<std::int32_t>(number)), slots_(slots) {}

  CustomOperator schema() {
    CustomOperator op{"mine::f" + std::to_string(number_ + 1), {schema("x")}, {}};
    if (choices_.one_in(3)) op.arguments.push_back(schema("y"));
    const std::size_t returns = choices_.one_in(4) ? choices_.below(3) : 1;
    while (op.returns.size() < returns) op.returns.push_back(schema(""));
    return op;
  }

  /// Mostly one for a backend, sometimes one above it.
  std::vector<Registration> kernels(const CustomOperator& op) {
    std::vector<Registration> all;
    if (!choices_.one_in(40)) all.push_back(below(op));
    if (choices_.one_in(3)) all.push_back(above(op));
    return all;
  }
  Registration any_kernel(const CustomOperator& op) { return choices_.one_in(2) ? above(op) : below(op); }

 private:
  SchemaTensor schema(std::string name) {
    const bool marked = choices_.one_in(3);
    return {std::move(name), marked ? "a" : "", marked && choices_.below(2) == 0};
  }
  Slot fresh() { return static_cast<Slot>(slots_++); }
  std::vector<Slot> fresh(std::size_t count) {
    std::vector<Slot> made;
    while (made.size() < count) made.push_back(fresh());
    return made;
  }

  Registration below(const CustomOperator& op) {
    constexpr std::array<std::string_view, 6> backends{
        "CPU", "CPU", "CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd", "CPU"};
    return kernel(op, choices_.any(backends));
  }

  /// A kernel for Autograd or ADInplaceOrView: mostly one that goes on below it.
  Registration above(const CustomOperator& op) {
    constexpr std::array<std::string_view, 4> keys{"Autograd", "AutogradCPU", "Autograd", "ADInplaceOrView"};
    const std::string_view key = choices_.any(keys);
    if (choices_.one_in(4)) return {std::string(key)};
    if (choices_.one_in(4)) return kernel(op, key);
    CustomKernel made = named(key);
    made.parameters = fresh(op.arguments.size());
    made.returned = fresh(op.returns.size());
    const bool views = key == "ADInplaceOrView";
    if (choices_.one_in(2)) {
      made.with_keyset = true;
      Invoke invoke{number_, made.parameters, made.returned};
      invoke.redispatch = steps(views);
      made.statements = {{std::move(invoke), 0}};
      return {std::string(key), std::move(made)};
    }
    made.statements = {{Enter{views ? GuardKind::below_ad_inplace_or_view : GuardKind::below_autograd}, 0},
                       {Invoke{number_, made.parameters, made.returned}, 0},
                       {Exit{}, 0}};
    return {std::string(key), std::move(made)};
  }

  CustomKernel named(std::string_view key) const {
    return {"f" + std::to_string(number_ + 1) + "_" + std::string(key)};
  }

  /// Mostly what lies below the kernel; sometimes a set without the kernel's own key, or with one more.
  std::vector<KeyStep> steps(bool views) {
    using Kind = KeyStep::Kind;
    std::vector<KeyStep> all{{views ? Kind::after_adinplaceorview : Kind::after_autograd, ""}};
    if (choices_.one_in(4)) all[0] = {Kind::remove, views ? "ADInplaceOrView" : "AutogradCPU"};
    constexpr std::array kinds{Kind::keep, Kind::add, Kind::remove};
    if (choices_.one_in(6)) all.push_back({choices_.any(kinds), std::string(choices_.any(kStepKeys))});
    return all;
  }

  Registration kernel(const CustomOperator& op, std::string_view key) {
    CustomKernel made = named(key);
    made.parameters = fresh(op.arguments.size());
    std::vector<Slot> known = made.parameters;
    for (std::size_t i = 0, n = choices_.below(4); i < n; ++i) {
      constexpr std::array<Enter, 8> guards{{{GuardKind::below_autograd},
                                             {GuardKind::below_ad_inplace_or_view},
                                             {GuardKind::no_grad, false},
                                             {GuardKind::inference_mode, true},
                                             {GuardKind::inference_mode, false},
                                             {GuardKind::enable_grad, true},
                                             {GuardKind::exclude_key, true, GuardKey::ADInplaceOrView},
                                             {GuardKind::below_ad_inplace_or_view}}};
      const bool guarded = choices_.one_in(2);
      if (guarded) made.statements.push_back({choices_.any(guards), 0});
      made.statements.push_back({statement(known), 0});
      if (guarded) made.statements.push_back({Exit{}, 0});
    }
    while (made.returned.size() < op.returns.size())
      made.returned.push_back(choices_.one_in(4) ? choices_.any(known) : known.back());
    return {std::string(key), std::move(made)};
  }

  StatementKind statement(std::vector<Slot>& known) {
    const Slot x = choices_.any(known);
    switch (choices_.below(8)) {
      case 0:
        return Call{OpId::mul__Tensor, {x, std::int64_t{2}}, {}, false};
      case 1:
        return Call{OpId::zero_, {x}, {}, false};
      case 2:
        return Call{OpId::copy_, {x, choices_.any(known), false}, {}, false};
      case 3:
        return made(known, Call{OpId::unsqueeze, {x, std::int64_t{0}}, {}, false});
      case 4:
        return made(known, Call{OpId::alias, {x}, {}, false});
      case 5:
        return made(known, Call{OpId::detach, {x}, {}, false});
      default:
        return made(known, Call{OpId::mul_Tensor, {x, std::int64_t{2}}, {}, false});
    }
  }
  Call made(std::vector<Slot>& known, Call call) {
    call.results.push_back(fresh());
    known.push_back(call.results[0]);
    return call;
  }

  ManyChoices& choices_;
  std::int32_t number_;
  std::size_t& slots_;
};

}  // namespace

void Builder::define_operator(const Gene& gene) {
  ManyChoices choices(gene);
  const std::size_t number = script_.operators.size(), own = slots_;
  OperatorMaker maker(choices, number, slots_);
  script_.operators.push_back(maker.schema());
  const std::vector<Registration> kernels = maker.kernels(script_.operators.back());
  state_.operators = std::make_shared<const std::vector<CustomOperator>>(script_.operators);
  end_names(own, slots_);
  if (number == 0) perform(MakeLibrary{"lib", "mine", MakeLibrary::Kind::FRAGMENT});
  perform(DefineOperator{"lib", static_cast<std::int32_t>(number)});
  for (const Registration& one : kernels) add_kernel("lib", number, one.key, one.kernel);
}

void Builder::add_kernel(const std::string& library, std::size_t number, const std::string& key,
                         const std::optional<CustomKernel>& kernel) {
  AddKernel add{library, static_cast<std::int32_t>(number), key};
  if (kernel) {
    add.kernel = static_cast<std::int32_t>(script_.kernels.size());
    script_.kernels.push_back(*kernel);
    if (std::ranges::count(script_.kernels, kernel->name, &CustomKernel::name) > 1)
      script_.kernels.back().name += "_" + std::to_string(*add.kernel);
    state_.kernels = std::make_shared<const std::vector<CustomKernel>>(script_.kernels);
  }
  perform(add);
}

/// A second library changes what an operator does: it adds a kernel, or it is dropped with its kernels.
void Builder::change_operator(const Gene& gene, std::size_t number) {
  ManyChoices choices(gene);
  if (!second_library_.empty() && choices.one_in(2)) {
    perform(DropLibrary{std::exchange(second_library_, {})});
    return;
  }
  if (second_library_.empty()) {
    second_library_ = "lib" + std::to_string(++second_libraries_ + 1);
    perform(MakeLibrary{second_library_, "mine", MakeLibrary::Kind::IMPL});
  }
  if (choices.one_in(12)) {
    perform(DefineOperator{choices.one_in(2) ? "lib" : second_library_, static_cast<std::int32_t>(number)});
    return;
  }
  const std::size_t own = slots_;
  const Registration one = OperatorMaker(choices, number, slots_).any_kernel(script_.operators[number]);
  end_names(own, slots_);
  add_kernel(second_library_, number, one.key, one.kernel);
}

void Builder::custom_operator(const Gene& gene, Choices& draws) {
  ManyChoices choices(gene);
  const std::vector<Slot> slots = live();
  if (slots.empty()) return make(choose_literal_sizes(draws), draws, 0);
  if (!is_light()) return leave_out(LeftOut::too_large);
  constexpr std::size_t kMost = 3;
  const std::vector<CustomOperator>& operators = script_.operators;
  // A program registers only in the test itself; in Python the name of a thread's library would end with it.
  const bool registers = inner_ == 0 && open_bodies_.empty();
  if (operators.empty() && !registers) return call(OpKind::View, gene, draws);
  if (registers && (operators.empty() || (operators.size() < kMost && choices.below(2) == 0))) define_operator(gene);
  const std::size_t number = choices.below(operators.size());
  if (registers && choices.one_in(4)) change_operator(gene, number);
  Invoke invoke{static_cast<std::int32_t>(number), {}, {}};
  for (std::size_t i = 0; i < operators[number].arguments.size(); ++i) invoke.inputs.push_back(choices.any(slots));
  for (std::size_t i = 0; i < operators[number].returns.size(); ++i)
    invoke.results.push_back(static_cast<Slot>(slots_ + i));
  const std::size_t results = invoke.results.size();
  if (!perform(std::move(invoke))) return;
  slots_ += results;
  if (functionalizes_ || results == 0 || choices.below(2) == 0) return;
  backward_through(static_cast<Slot>(slots_ - 1), gene, draws);
}

}  // namespace plumbline::fuzz
