// The builder: operators that the program defines, with kernels that write, alias and hide.
#include <array>

#include "fuzz/building.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

namespace {

/// Makes one operator; `slots` is the number of slots that are in use.
class OperatorMaker {
 public:
  OperatorMaker(ManyChoices& choices, std::size_t number, std::size_t& slots)
      : choices_(choices), number_(static_cast<std::int32_t>(number)), slots_(slots) {}

  CustomOperator run() {
    CustomOperator op{"mine::f" + std::to_string(number_ + 1), {schema("x")}, {}, {}};
    if (choices_.one_in(3)) op.arguments.push_back(schema("y"));
    const std::size_t returns = choices_.one_in(4) ? choices_.below(3) : 1;
    while (op.returns.size() < returns) op.returns.push_back(schema(""));
    constexpr std::array<std::string_view, 6> backends{
        "CPU", "CPU", "CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd", "CPU"};
    if (!choices_.one_in(40)) op.kernels.push_back(kernel(op, choices_.any(backends)));
    if (choices_.one_in(3)) op.kernels.push_back(above(op));
    return op;
  }

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

  /// A kernel for Autograd or ADInplaceOrView: mostly one that goes on below it.
  CustomKernel above(const CustomOperator& op) {
    constexpr std::array<std::string_view, 4> keys{"Autograd", "AutogradCPU", "Autograd", "ADInplaceOrView"};
    const std::string_view key = choices_.any(keys);
    if (choices_.one_in(4)) return {std::string(key), true};
    if (choices_.one_in(4)) return kernel(op, key);
    CustomKernel made{std::string(key)};
    made.parameters = fresh(op.arguments.size());
    made.returned = fresh(op.returns.size());
    const bool views = key == "ADInplaceOrView";
    if (choices_.one_in(2)) {
      made.with_keyset = true;
      Invoke invoke{number_, made.parameters, made.returned};
      invoke.redispatch = steps(views);
      made.statements = {{std::move(invoke), 0}};
      return made;
    }
    made.statements = {{Enter{views ? GuardKind::below_ad_inplace_or_view : GuardKind::below_autograd}, 0},
                       {Invoke{number_, made.parameters, made.returned}, 0},
                       {Exit{}, 0}};
    return made;
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

  CustomKernel kernel(const CustomOperator& op, std::string_view key) {
    CustomKernel made{std::string(key)};
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
    return made;
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

void Builder::custom_operator(const Gene& gene, Choices& draws) {
  ManyChoices choices(gene);
  const std::vector<Slot> slots = live();
  if (slots.empty()) return make(choose_literal_sizes(draws), draws, 0);
  if (!is_light()) return leave_out(LeftOut::too_large);
  constexpr std::size_t kMost = 3;
  std::vector<CustomOperator>& operators = script_.operators;
  // A body that raises restores the state from before it, which must have every operator.
  const bool defines = open_bodies_.empty() && operators.size() < kMost;
  if (operators.empty() && !defines) return call(OpKind::View, gene, draws);
  if (defines && (operators.empty() || choices.below(2) == 0)) {
    const std::size_t own = slots_;
    operators.push_back(OperatorMaker(choices, operators.size(), slots_).run());
    state_.operators = std::make_shared<const std::vector<CustomOperator>>(operators);
    end_names(own, slots_);
  }
  const std::size_t number = choices.below(operators.size());
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
