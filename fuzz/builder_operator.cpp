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

/// Makes one operator, or kernels of one; `slots` is the number of slots that are in use. `tells`: kernels may log,
/// pass on `*args` and raise errors.
class OperatorMaker {
 public:
  OperatorMaker(ManyChoices& choices, std::size_t number, std::size_t& slots, bool tells)
      : choices_(choices), number_(static_cast<std::int32_t>(number)), slots_(slots), tells_(tells) {}

  CustomOperator schema() {
    CustomOperator op{"mine::f" + std::to_string(number_ + 1), {schema("x")}, {}};
    if (choices_.one_in(3)) op.arguments.push_back(schema("y"));
    if (choices_.one_in(4)) op.arguments.push_back({"n", "", false, choices_.any(kNumbers)});
    const std::size_t returns = choices_.one_in(4) ? choices_.below(3) : 1;
    while (op.returns.size() < returns) op.returns.push_back(schema(""));
    return op;
  }

  /// Mostly one for a backend, sometimes one above it.
  std::vector<Registration> kernels(const CustomOperator& op) {
    std::vector<Registration> all;
    if (!choices_.one_in(40)) all.push_back(telling(below(op)));
    if (choices_.one_in(3)) all.push_back(telling(above(op)));
    return all;
  }
  Registration any_kernel(const CustomOperator& op) { return telling(choices_.one_in(2) ? above(op) : below(op)); }

 private:
  static constexpr std::array kNumbers{SchemaValue::Kind::integer, SchemaValue::Kind::real};

  SchemaValue schema(std::string name) {
    const bool marked = choices_.one_in(3);
    return {std::move(name), marked ? "a" : "", marked && choices_.below(2) == 0};
  }
  Slot fresh() { return static_cast<Slot>(slots_++); }
  std::vector<Slot> fresh(std::size_t count) {
    std::vector<Slot> made;
    while (made.size() < count) made.push_back(fresh());
    return made;
  }

  /// Sometimes it logs that it runs, and with what keys, and then it sometimes raises an error in the end.
  Registration telling(Registration one) {
    if (!tells_ || !one.kernel || !choices_.one_in(3)) return one;
    std::vector<Statement>& statements = one.kernel->statements;
    if (choices_.one_in(2)) {
      one.kernel->with_keyset = true;
      statements.insert(statements.begin(), Statement{AppendToLog{"", true}, 0});
    }
    statements.insert(statements.begin(), Statement{AppendToLog{}, 0});
    if (choices_.one_in(8)) statements.push_back({RaiseError{}, 0});
    return one;
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
    Invoke invoke{number_, {}, {}};
    if (tells_ && choices_.one_in(3)) {
      made.any_arguments = invoke.passes_arguments = true;
      made.returns_passed = !op.returns.empty();
    } else {
      made.parameters = fresh(op.arguments.size());
      invoke.inputs = values_of(made.parameters, op);
      invoke.results = made.returned = fresh(op.returns.size());
    }
    const bool views = key == "ADInplaceOrView";
    if (choices_.one_in(2)) {
      made.with_keyset = true;
      invoke.redispatch = steps(views);
      made.statements = {{std::move(invoke), 0}};
      return {std::string(key), std::move(made)};
    }
    made.statements = {{Enter{views ? GuardKind::below_ad_inplace_or_view : GuardKind::below_autograd}, 0},
                       {std::move(invoke), 0},
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
    constexpr std::array<std::string_view, 3> keys{"CPU", "ADInplaceOrView", "AutogradCPU"};
    if (choices_.one_in(6)) all.push_back({choices_.any(kinds), std::string(choices_.any(keys))});
    return all;
  }

  Registration kernel(const CustomOperator& op, std::string_view key) {
    CustomKernel made = named(key);
    made.parameters = fresh(op.arguments.size());
    std::vector<Slot> known;
    std::vector<Value> factors{std::int64_t{2}};
    for (std::size_t i = 0; i < op.arguments.size(); ++i)
      if (is_number(op.arguments[i].kind))
        factors.emplace_back(NumberOf{made.parameters[i]});
      else
        known.push_back(made.parameters[i]);
    for (std::size_t i = 0, n = choices_.below(4); i < n; ++i) {
      const std::array<Enter, 8> guards{{{GuardKind::below_autograd},
                                         {GuardKind::below_ad_inplace_or_view},
                                         {GuardKind::no_grad, false},
                                         {GuardKind::inference_mode, true},
                                         {GuardKind::inference_mode, false},
                                         {GuardKind::enable_grad, true},
                                         {GuardKind::exclude_key, true, "ADInplaceOrView"},
                                         {GuardKind::below_ad_inplace_or_view}}};
      const bool guarded = choices_.one_in(2);
      if (guarded) made.statements.push_back({choices_.any(guards), 0});
      made.statements.push_back({statement(known, factors), 0});
      if (guarded) made.statements.push_back({Exit{}, 0});
    }
    while (made.returned.size() < op.returns.size())
      made.returned.push_back(choices_.one_in(4) ? choices_.any(known) : known.back());
    return {std::string(key), std::move(made)};
  }

  /// `factors`: the numbers by which it may multiply; the last one mostly.
  StatementKind statement(std::vector<Slot>& known, const std::vector<Value>& factors) {
    const Slot x = choices_.any(known);
    switch (choices_.below(8)) {
      case 0:
        return Call{OpId::mul__Tensor, {x, factors.front()}, {}, false};
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
        return made(known, Call{OpId::mul_Tensor, {x, factors.back()}, {}, false});
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
  bool tells_;
};

/// The key set of a redispatch outside a kernel, by which a CPU tensor goes.
std::vector<KeyStep> everyday_keys(ManyChoices& choices) {
  using Kind = KeyStep::Kind;
  constexpr std::array<std::string_view, 3> above{"", "AutogradCPU", "ADInplaceOrView"};
  const std::string_view first = choices.any(above);
  if (first.empty()) return {{Kind::only, "CPU"}};
  return {{Kind::only, std::string(first)}, {Kind::add, "CPU"}};
}

}  // namespace

std::vector<Value> values_of(const std::vector<Slot>& parameters, const CustomOperator& op) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (is_number(op.arguments[i].kind))
      values.emplace_back(NumberOf{parameters[i]});
    else
      values.emplace_back(parameters[i]);
  return values;
}

Value any_number(SchemaValue::Kind kind, ManyChoices& choices) {
  const auto number = static_cast<std::int64_t>(choices.below(5)) - 1;
  if (kind == SchemaValue::Kind::integer) return number;
  if (kind == SchemaValue::Kind::truth) return number > 0;
  return static_cast<double>(number) / 2;
}

void Builder::define_operator(const Gene& gene) {
  ManyChoices choices(gene);
  const std::size_t number = script_.operators.size(), own = slots_;
  OperatorMaker maker(choices, number, slots_, !functionalizes_);
  const CustomOperator op = maker.schema();
  const std::vector<Registration> kernels = maker.kernels(op);
  end_names(own, slots_);
  computing_.push_back(add_operator(op, "lib"));
  for (const Registration& one : kernels) register_kernel(AddKernel{"lib", computing_.back(), one.key}, one.kernel);
}

std::int32_t Builder::add_operator(const CustomOperator& op, const std::string& library) {
  const auto number = static_cast<std::int32_t>(script_.operators.size());
  script_.operators.push_back(op);
  state_.operators = std::make_shared<const std::vector<CustomOperator>>(script_.operators);
  if (number == 0) perform(MakeLibrary{"lib", "mine", MakeLibrary::Kind::FRAGMENT});
  perform(DefineOperator{library, number});
  return number;
}

void Builder::register_kernel(StatementKind added, const std::optional<CustomKernel>& kernel) {
  if (!kernel) return void(perform(std::move(added)));
  const auto number = static_cast<std::int32_t>(script_.kernels.size());
  if (auto* add = std::get_if<AddKernel>(&added)) add->kernel = number;
  if (auto* add = std::get_if<AddFallback>(&added)) add->kernel = number;
  script_.kernels.push_back(*kernel);
  CustomKernel& made = script_.kernels.back();
  if (std::ranges::count(script_.kernels, kernel->name, &CustomKernel::name) > 1)
    made.name += "_" + std::to_string(number);
  for (Statement& statement : made.statements) {
    auto* log = std::get_if<AppendToLog>(&statement.kind);
    if (log != nullptr && !log->keys) log->text = made.name;
    if (auto* raise = std::get_if<RaiseError>(&statement.kind)) raise->message = made.name + " raised";
    logs_ = logs_ || log != nullptr;
  }
  state_.kernels = std::make_shared<const std::vector<CustomKernel>>(script_.kernels);
  const std::size_t before = script_.statements.size();
  perform(std::move(added));
  if (script_.statements.size() > before) return;
  script_.kernels.pop_back();  // it was left out
  state_.kernels = std::make_shared<const std::vector<CustomKernel>>(script_.kernels);
}

const MakeLibrary* Builder::make_library(const std::string& space, MakeLibrary::Kind kind) {
  const MakeLibrary made{"lib" + std::to_string(++made_libraries_ + 1), space, kind};
  return perform(made) ? &libraries_.emplace_back(made) : nullptr;
}

void Builder::drop_library(std::size_t number) {
  perform(DropLibrary{libraries_[number].library});
  libraries_.erase(libraries_.begin() + static_cast<std::ptrdiff_t>(number));
}

/// A second library changes what an operator does: it adds a kernel, or it is dropped with its kernels.
void Builder::change_operator(const Gene& gene, std::size_t number) {
  ManyChoices choices(gene);
  const auto is_second = [](const MakeLibrary& one) {
    return one.space == "mine" && one.kind == MakeLibrary::Kind::IMPL;
  };
  const auto second = std::ranges::find_if(libraries_, is_second);
  const bool there = second != libraries_.end();
  if (there && choices.one_in(2)) return drop_library(static_cast<std::size_t>(second - libraries_.begin()));
  const MakeLibrary* library = there ? &*second : make_library("mine", MakeLibrary::Kind::IMPL);
  if (library == nullptr) return;
  const std::string name = library->library;
  const auto op = static_cast<std::int32_t>(number);
  if (choices.one_in(12)) return void(perform(DefineOperator{choices.one_in(2) ? "lib" : name, op}));
  const std::size_t own = slots_;
  OperatorMaker maker(choices, number, slots_, !functionalizes_);
  const Registration one = maker.any_kernel(script_.operators[number]);
  end_names(own, slots_);
  register_kernel(AddKernel{name, op, one.key}, one.kernel);
}

Invoke Builder::any_invoke(std::int32_t number, const std::vector<Slot>& slots, ManyChoices& choices) const {
  const CustomOperator& op = script_.operators[static_cast<std::size_t>(number)];
  Invoke invoke{number, {}, {}};
  for (const SchemaValue& argument : op.arguments)
    invoke.inputs.push_back(is_number(argument.kind) ? any_number(argument.kind, choices) : Value(choices.any(slots)));
  for (std::size_t i = 0; i < op.returns.size(); ++i) invoke.results.push_back(static_cast<Slot>(slots_ + i));
  return invoke;
}

void Builder::custom_operator(const Gene& gene, Choices& draws) {
  ManyChoices choices(gene);
  // A program registers only in the test itself; in Python the name of a thread's library would end with it.
  const bool registers = inner_ == 0 && open_bodies_.empty();
  if (!functionalizes_ && registers && dispatching_ == Dispatching::sometimes && choices.one_in(3))
    return dispatching(choices);
  const std::vector<Slot> slots = live();
  if (slots.empty()) return make(choose_literal_sizes(draws), draws, 0);
  if (!is_light()) return leave_out(LeftOut::too_large);
  constexpr std::size_t kMost = 3;
  if (computing_.empty() && !registers) return call(OpKind::View, gene, draws);
  if (registers && (computing_.empty() || (computing_.size() < kMost && choices.below(2) == 0))) define_operator(gene);
  const std::int32_t number = choices.any(computing_);
  if (registers && choices.one_in(4)) change_operator(gene, static_cast<std::size_t>(number));
  Invoke invoke = any_invoke(number, slots, choices);
  if (!functionalizes_ && choices.one_in(8)) invoke.redispatch = everyday_keys(choices);
  const std::size_t results = invoke.results.size();
  if (!perform(std::move(invoke))) return;
  slots_ += results;
  if (functionalizes_ || results == 0 || choices.below(2) == 0) return;
  backward_through(static_cast<Slot>(slots_ - 1), gene, draws);
}

}  // namespace plumbline::fuzz
