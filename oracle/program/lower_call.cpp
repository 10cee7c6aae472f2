// Lowering calls: what is called, with which values, and where the results go.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/program/lowerer.h"
#include "oracle/program/print.h"
#include "oracle/program/refusal.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kPacket = "torch.ops.aten.";
constexpr std::string_view kArgument =
    "An argument is a number, True, False, None, a list of ints, a dtype, `device` or the name of a tensor";

bool is_literal(const Expression& e) {
  if (const auto* list = std::get_if<List>(&e.node))
    return std::all_of(list->items.begin(), list->items.end(), is_literal);
  if (const auto* tuple = std::get_if<Tuple>(&e.node))
    return std::all_of(tuple->items.begin(), tuple->items.end(), is_literal);
  return !std::holds_alternative<Attribute>(e.node) && !std::holds_alternative<Invocation>(e.node);
}

}  // namespace

void Lowerer::need_import(const std::string& module, Place place) const {
  if (std::find(program_.imports.begin(), program_.imports.end(), module) == program_.imports.end())
    fail(place, fmt::format("{} is used but not imported", module),
         fmt::format("Write `import {}` at the top of the file", module));
}

Binding Lowerer::look_up(const Expression& expression) {
  const std::string& name = std::get<Name>(expression.node).id;
  const auto& names = scope_.frame().names;
  const auto found = names.find(name);
  if (found == names.end()) {
    std::vector<std::string> known;
    for (const auto& [other, binding] : names) known.push_back(other);
    const auto is = [&name](const Function& f) { return f.name == name; };
    if (std::any_of(program_.functions.begin(), program_.functions.end(), is))
      fail(expression.place, fmt::format("the function '{}' is used as a value", name), "Call it");
    fail(expression.place, fmt::format("the name '{}' is not defined here", name),
         did_you_mean(name, known, "Assign to it first"));
  }
  if (std::holds_alternative<Unassigned>(found->second))
    fail(expression.place,
         fmt::format("the name '{}' is not defined here: the statement that assigns it is the one expected to raise",
                     name),
         "Assign it outside `pytest.raises`, or put the statement that raises last");
  return found->second;
}

Slot Lowerer::tensor(const Expression& expression) {
  need_no_part(expression);
  if (!std::holds_alternative<Name>(expression.node))
    fail(start_of(expression), fmt::format("found {}, expected the name of a tensor", print(expression)),
         "Give the tensor a name first");
  const Binding binding = look_up(expression);
  if (const auto* slot = std::get_if<Slot>(&binding)) return *slot;
  fail(expression.place, fmt::format("'{}' is no tensor", std::get<Name>(expression.node).id),
       "Write the name of a tensor");
}

Expression Lowerer::literal(const Expression& expression) {
  if (std::holds_alternative<Name>(expression.node)) {
    const Binding binding = look_up(expression);
    if (const auto* value = std::get_if<Expression>(&binding)) return {value->node, expression.place};
    fail(expression.place, fmt::format("'{}' is no literal", std::get<Name>(expression.node).id),
         "Write the value itself");
  }
  if (dtype(expression)) return expression;
  need_no_part(expression);
  if (!is_literal(expression))
    fail(start_of(expression), fmt::format("'{}' is no value of the subset", print(expression)),
         std::string(kArgument));
  // The elements' names are looked up now: they may stand for something else later.
  const auto resolved = [this](const Expressions& items) {
    Expressions values;
    for (const Expression& item : items) values.push_back(literal(item));
    return values;
  };
  if (const auto* list = std::get_if<List>(&expression.node)) return {List{resolved(list->items)}, expression.place};
  if (const auto* tuple = std::get_if<Tuple>(&expression.node))
    return {Tuple{resolved(tuple->items)}, expression.place};
  return expression;
}

bool Lowerer::truth(const Expression& expression, std::string_view what) {
  const Expression value = literal(expression);
  if (const auto* truth = std::get_if<bool>(&value.node)) return *truth;
  fail(start_of(expression), fmt::format("{} is given {}, expected True or False", what, print(expression)),
       "Write True or False");
}

std::optional<Dtype> Lowerer::dtype(const Expression& expression) const {
  const std::string name = dotted_name(expression);
  if (name == "torch.float") return Dtype::float32;
  if (name == "torch.double") return Dtype::float64;
  if (name == "torch.long") return Dtype::int64;
  return name.starts_with("torch.") ? dtype_named(std::string_view(name).substr(6)) : std::nullopt;
}

std::vector<std::int64_t> Lowerer::integers(const Expressions& items) {
  std::vector<std::int64_t> numbers;
  for (const Expression& item : items) {
    const Expression value = literal(item);
    const auto* number = std::get_if<std::int64_t>(&value.node);
    if (number == nullptr)
      fail(start_of(item), fmt::format("found {} in a list, expected an int", print(item)),
           "The lists that ops take are lists of ints");
    numbers.push_back(*number);
  }
  return numbers;
}

Actual Lowerer::evaluate(const Expression& expression) {
  const Place place = start_of(expression);
  need_no_part(expression);
  if (std::holds_alternative<Name>(expression.node)) {
    const Binding binding = look_up(expression);
    if (const auto* slot = std::get_if<Slot>(&binding)) return {Value(*slot), place};
    if (std::holds_alternative<DeviceParameter>(binding)) return {Dropped::device, place};
    if (const auto* value = std::get_if<Expression>(&binding)) return evaluate({value->node, place});
    fail(place, fmt::format("'{}' is an observation", print(expression)), std::string(kArgument));
  }
  if (const auto type = dtype(expression)) return {Value(*type), place};
  if (dotted_name(expression) == "torch.strided") return {Dropped::strided, place};
  if (const auto* list = std::get_if<List>(&expression.node)) return {Value(integers(list->items)), place};
  if (const auto* tuple = std::get_if<Tuple>(&expression.node)) return {Value(integers(tuple->items)), place};
  if (std::holds_alternative<NoneLiteral>(expression.node)) return {Value(None{}), place};
  if (const auto* truth = std::get_if<bool>(&expression.node)) return {Value(*truth), place};
  if (const auto* integer = std::get_if<std::int64_t>(&expression.node)) return {Value(*integer), place};
  if (const auto* real = std::get_if<double>(&expression.node)) return {Value(*real), place};
  if (dotted_name(expression).starts_with("torch."))
    fail(place, fmt::format("{} is not known", print(expression)),
         "The dtypes are torch.float32, torch.float64 and torch.int64");
  fail(place, fmt::format("found {} as an argument", print(expression)),
       std::holds_alternative<std::string>(expression.node)
           ? "Programs run on the device that the test is given: write device=device"
           : std::string(kArgument));
}

Actuals Lowerer::actuals(const Invocation& call, Place place) {
  Actuals all{{}, {}, place};
  for (const Expression& value : call.positional) all.positional.push_back(evaluate(value));
  for (const auto& [name, value] : call.keywords) all.keywords.emplace_back(name, evaluate(value));
  return all;
}

void Lowerer::call(const Expression& expression, const Targets& targets) {
  const auto& invocation = std::get<Invocation>(expression.node);
  const Expression& callee = *invocation.callee;
  const std::string name = dotted_name(callee);
  const auto* attribute = std::get_if<Attribute>(&callee.node);
  if (attribute == nullptr) {
    for (const Function& function : program_.functions)
      if (function.name == name) return inline_function(function, invocation, callee.place, targets);
    unknown_call(callee);
  }
  const bool of_torch = name.starts_with("torch.");
  if (of_torch) need_import("torch", start_of(callee));
  if (const auto later = comes_later(name)) fail(start_of(callee), later->problem, later->advice);
  if (name == "torch.tensor") return make_tensor(invocation, callee.place, targets);
  if (name.starts_with(kPacket)) {
    const std::string op = name.substr(kPacket.size());
    const std::size_t dot = op.find('.');
    if (dot != std::string::npos && op.find('.', dot + 1) != std::string::npos) unknown_call(callee);
    if (op == "set_" || op.starts_with("set_."))
      fail(callee.place, fmt::format("{} does not compare dtypes, as x.set_ does", name), "Write x.set_(…)");
    return op_call(CallForm::packet, op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1),
                   actuals(invocation, callee.place), targets);
  }
  if (of_torch) {
    if (std::holds_alternative<Attribute>(attribute->value->node)) unknown_call(callee);
    return op_call(CallForm::function, attribute->name, "", actuals(invocation, callee.place), targets);
  }
  if (!std::holds_alternative<Name>(attribute->value->node) || name.starts_with("pytest.")) unknown_call(callee);
  const Slot self = tensor(*attribute->value);
  if (attribute->name == "requires_grad_") return requires_grad_(*attribute->value, invocation, callee.place, targets);
  if (attribute->name == "backward") return backward(*attribute->value, invocation, callee.place, targets);
  Actuals all = actuals(invocation, callee.place);
  all.positional.insert(all.positional.begin(), Actual{Value(self), attribute->value->place});
  op_call(CallForm::method, attribute->name, "", all, targets);
}

void Lowerer::unknown_call(const Expression& callee) {
  const std::string name = print(callee);
  if (const auto later = comes_later(name)) fail(start_of(callee), later->problem, later->advice);
  need_no_part(callee);
  if (std::holds_alternative<Name>(callee.node)) {
    std::vector<std::string> known;
    for (const Function& function : program_.functions) known.push_back(function.name);
    fail(callee.place, fmt::format("there is no function '{}' in this file", name),
         did_you_mean(name, known, "Call an op as torch.NAME(…), x.NAME(…) or torch.ops.aten.NAME(…)"));
  }
  if (guard_named(name) != nullptr)
    fail(start_of(callee), fmt::format("{} stands outside `with`", name),
         fmt::format("Write `with {}(…):` and the statements below it", name));
  if (name == "pytest.raises")
    fail(start_of(callee), "pytest.raises stands outside `with`",
         "Write `with pytest.raises(RuntimeError):` and the statement below it");
  fail(start_of(callee), fmt::format("{} is not part of the subset", name),
       "Call an op as torch.NAME(…), x.NAME(…) or torch.ops.aten.NAME(…)");
}

void Lowerer::op_call(CallForm form, const std::string& name, const std::string& overload, const Actuals& actuals,
                      const Targets& targets) {
  const Place place = actuals.place;
  if (form == CallForm::function)
    if (guard_named("torch." + name) != nullptr)
      fail(place, fmt::format("torch.{} stands outside `with`", name),
           fmt::format("Write `with torch.{}(…):` and the statements below it", name));
  auto result = resolve(form, name, overload, actuals);
  if (const auto* mismatch = std::get_if<Mismatch>(&result)) {
    const bool known = std::any_of(op_table().begin(), op_table().end(), [&](const Op& op) { return op.name == name; });
    std::vector<std::string> names = names_with_form(form), observations = observation_names();
    names.insert(names.end(), observations.begin(), observations.end());
    const std::string advice =
        form == CallForm::method && !known ? did_you_mean(name, names, mismatch->advice) : mismatch->advice;
    fail(mismatch->place, mismatch->problem, advice);
  }
  auto& resolved = std::get<Resolved>(result);
  const Op& found = op(resolved.op);
  if (found.many_results && !targets.names.empty() && !targets.unpack)
    fail(targets.place, fmt::format("{} returns a list of tensors, and one name is assigned", qualified_name(found)),
         "Write a name for each of them, as in `a, b = x.split(1)`; for a single one `a, = x.split(2)`");
  if (!found.many_results && targets.unpack)
    fail(targets.place, fmt::format("{} returns one tensor", qualified_name(found)),
         "Assign it to one name, without a comma");
  Call call{resolved.op, std::move(resolved.arguments), {}, resolved.requires_grad};
  for (const std::string& target : targets.names) call.results.push_back(scope_.assign(*targets.frame, target));
  const bool returns_self = found.kind == OpKind::Inplace || found.kind == OpKind::InplaceView;
  for (const Slot slot : call.results) {
    const auto* self = returns_self ? std::get_if<Slot>(&call.arguments[0]) : nullptr;
    self != nullptr ? scope_.holds_object_of(slot, *self) : scope_.holds_new_object(slot);
  }
  emit(std::move(call), targets.line);
}

void Lowerer::requires_grad_(const Expression& self, const Invocation& call, Place place, const Targets& targets) {
  const bool by_keyword =
      call.positional.empty() && call.keywords.size() == 1 && call.keywords[0].name == "requires_grad";
  if (call.positional.size() + call.keywords.size() > 1 || (!call.keywords.empty() && !by_keyword))
    fail(place, "requires_grad_ is given other arguments than it takes",
         "Write x.requires_grad_() or x.requires_grad_(False)");
  const bool value = by_keyword ? truth(call.keywords[0].value, "requires_grad_")
                                : call.positional.empty() || truth(call.positional[0], "requires_grad_");
  const Slot slot = tensor(self);
  emit(SetRequiresGrad{slot, value}, targets.line);
  if (!targets.names.empty()) bind(targets, slot, place);
}

std::optional<NestedList> flatten(const Expression& expression) {
  const auto* list = std::get_if<List>(&expression.node);
  const auto* tuple = std::get_if<Tuple>(&expression.node);
  if (list == nullptr && tuple == nullptr) return NestedList{{}, {expression}};
  const Expressions& items = list != nullptr ? list->items : tuple->items;
  NestedList all{{static_cast<std::int64_t>(items.size())}, {}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto row = flatten(items[i]);
    if (!row) return std::nullopt;
    if (i == 0) all.sizes.insert(all.sizes.end(), row->sizes.begin(), row->sizes.end());
    if (!std::equal(row->sizes.begin(), row->sizes.end(), all.sizes.begin() + 1, all.sizes.end())) return std::nullopt;
    all.numbers.insert(all.numbers.end(), row->numbers.begin(), row->numbers.end());
  }
  return all;
}

void Lowerer::make_tensor(const Invocation& call, Place place, const Targets& targets) {
  if (call.positional.size() != 1)
    fail(place, fmt::format("torch.tensor takes one value or list, {} are given", call.positional.size()),
         "Write torch.tensor([1.0, 2.0])");
  if (targets.unpack || targets.names.empty())
    fail(place, "the tensor gets no name of its own", "Write `x = torch.tensor(…)`");
  const auto nested = flatten(literal(call.positional[0]));
  if (!nested)
    fail(start_of(call.positional[0]), "the rows of the list differ in length or depth",
         "Give each row as many elements as the first");
  MakeTensor made{{}, Dtype::int64, nested->sizes, {}, false};
  if (nested->numbers.empty()) made.dtype = Dtype::float32;
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  for (const Expression& number : nested->numbers) {
    const auto* integer = std::get_if<std::int64_t>(&number.node);
    const auto* real = std::get_if<double>(&number.node);
    if (integer == nullptr && real == nullptr)
      fail(start_of(number), fmt::format("found {} in torch.tensor, expected a number", print(number)),
           "The dtypes are float32, float64 and int64: write 1 for True and 0 for False");
    if (integer != nullptr && (*integer > kExact || *integer < -kExact))
      fail(start_of(number), fmt::format("{} is beyond 2^53", *integer), "Write a smaller number");
    if (real != nullptr) made.dtype = Dtype::float32;
    made.values.push_back(integer != nullptr ? static_cast<double>(*integer) : *real);
  }
  for (const auto& [name, value] : call.keywords) {
    const Actual actual = evaluate(value);
    const auto* given = std::get_if<Value>(&actual.value);
    const bool is_none = given != nullptr && std::holds_alternative<None>(*given);
    if (name == "dtype" && given != nullptr && std::holds_alternative<Dtype>(*given)) {
      made.dtype = std::get<Dtype>(*given);
    } else if (name == "requires_grad") {
      made.requires_grad = truth(value, "requires_grad");
    } else if (!(name == "dtype" && is_none) && !(name == "device" && (given == nullptr || is_none))) {
      fail(start_of(value), fmt::format("torch.tensor is given {}={}", name, print(value)),
           "It takes dtype=, device=device and requires_grad=");
    }
  }
  if (made.dtype == Dtype::int64)
    for (double& value : made.values) {
      if (!std::isfinite(value)) fail(place, "an int64 tensor has no inf and no nan", "Write ints, or another dtype");
      value = std::trunc(value);
    }
  made.result = scope_.assign(*targets.frame, targets.names[0]);
  scope_.holds_new_object(made.result);
  emit(std::move(made), targets.line);
}

}  // namespace plumbline::program
