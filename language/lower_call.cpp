// Lowering calls: the callee, its arguments, and its results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kPacket = "torch.ops.aten.";
constexpr std::string_view kArgument =
    "An argument is a number, True, False, None, a list of ints or tensors, a dtype, `device` or the name of a tensor";

bool is_literal(const Expression& e) {
  if (const auto* list = std::get_if<List>(&e.node))
    return std::all_of(list->items.begin(), list->items.end(), is_literal);
  if (const auto* tuple = std::get_if<Tuple>(&e.node))
    return std::all_of(tuple->items.begin(), tuple->items.end(), is_literal);
  return !std::holds_alternative<Attribute>(e.node) && !std::holds_alternative<Invocation>(e.node) &&
         !std::holds_alternative<KeyMask>(e.node) && !std::holds_alternative<Starred>(e.node);
}

/// The memory format that a name means.
std::optional<MemoryFormat> memory_format(const Expression& expression) {
  const std::string name = dotted_name(expression);
  return name.starts_with("torch.") ? memory_format_named(std::string_view(name).substr(6)) : std::nullopt;
}

}  // namespace

void Lowerer::need_import(const std::string& module, Place place) const {
  if (std::find(program_.imports.begin(), program_.imports.end(), module) == program_.imports.end())
    fail(place, fmt::format("{} is used but not imported", module),
         fmt::format("Write `import {}` at the top of the file", module));
}

const Binding* Lowerer::find(const std::string& name) {
  for (Frame* frame = &scope_.frame(); frame != nullptr; frame = frame->enclosing) {
    const auto found = frame->names.find(name);
    if (found != frame->names.end()) {
      const auto* slot = std::get_if<Slot>(&found->second);
      if (hook_ && slot != nullptr && frame != &scope_.frame()) used_by_hooks_.push_back({*hook_, frame, name, *slot});
      return &found->second;
    }
    if (frame->own.contains(name)) return nullptr;
  }
  const Frame& module = scope_.frames().front();
  const auto found = module.names.find(name);
  return found == module.names.end() ? nullptr : &found->second;
}

NestedFunction Lowerer::named_function(const Expression& expression) {
  const auto* name = std::get_if<Name>(&expression.node);
  if (name == nullptr) return {};
  NestedFunction function;
  if (const Binding* binding = find(name->id)) {
    if (const auto* nested = std::get_if<NestedFunction>(binding)) function = *nested;
  } else if (const auto found = std::ranges::find(program_.functions, name->id, &Function::name);
             found != program_.functions.end()) {
    function.function = &*found;
  }
  if (function.function != nullptr && is_none_once_decorated(*function.function))
    fail(expression.place, fmt::format("'{}' is None here: the decorator above its `def` returns nothing", name->id),
         fmt::format("Write the decorator as a call below it: `torch.library.impl(\"mine::f\", \"CPU\", {})`",
                     name->id));
  return function;
}

Binding Lowerer::look_up(const Expression& expression) {
  const std::string& name = std::get<Name>(expression.node).id;
  const Binding* found = find(name);
  if (found == nullptr) {
    if (named_function(expression).function != nullptr)
      fail(expression.place, fmt::format("the function '{}' is used as a value", name), "Call it");
    std::vector<std::string> known;
    for (const auto& [other, binding] : scope_.frame().names)
      if (!other.starts_with('.')) known.push_back(other);
    const bool own = scope_.frame().own.contains(name);
    fail(expression.place, fmt::format("the name '{}' is not defined here", name),
         own ? "The function assigns it below, so it is a local name from the function's first line on"
             : did_you_mean(name, known, "Assign to it first"));
  }
  if (std::holds_alternative<Unassigned>(*found))
    fail(expression.place,
         fmt::format("the name '{}' is not defined here: the statement that assigns it is the one expected to raise",
                     name),
         "Assign it outside `pytest.raises`, or put the statement that raises last");
  return *found;
}

Slot Lowerer::tensor(const Expression& expression) {
  const Slot slot = tensor_or_meta(expression);
  need_memory(slot, expression.place);
  return slot;
}

Slot Lowerer::tensor_or_meta(const Expression& expression) {
  need_no_part(expression);
  if (!std::holds_alternative<Name>(expression.node))
    fail(start_of(expression), fmt::format("found {}, expected the name of a tensor", print(expression)),
         "Give the tensor a name first");
  const Binding binding = look_up(expression);
  if (const auto* slot = std::get_if<Slot>(&binding)) return *slot;
  refuse_parameter(binding, expression);
  fail(expression.place, fmt::format("'{}' is not a tensor", std::get<Name>(expression.node).id),
       "Write the name of a tensor");
}

std::optional<Expression> Lowerer::literal_of(const Binding& binding, Place place) const {
  if (const auto* value = std::get_if<Expression>(&binding)) return Expression{value->node, place};
  const auto* list = std::get_if<EmptyList>(&binding);
  return list != nullptr && list->number != log_ ? std::optional(Expression{List{}, place}) : std::nullopt;
}

Expression Lowerer::literal(const Expression& expression) {
  if (const Binding* kept = context_attribute(expression))
    if (const auto value = literal_of(*kept, expression.place)) return *value;
  if (std::holds_alternative<Name>(expression.node)) {
    const Binding binding = look_up(expression);
    if (const auto value = literal_of(binding, expression.place)) return *value;
    refuse_parameter(binding, expression);
    fail(expression.place, fmt::format("'{}' is not a literal", std::get<Name>(expression.node).id),
         "Write the value itself");
  }
  if (dtype(expression) || memory_format(expression)) return expression;
  need_no_part(expression);
  if (!is_literal(expression))
    fail(start_of(expression), fmt::format("'{}' is not a value that programs can contain", print(expression)),
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
  if (name == "torch.int") return Dtype::int32;
  if (name == "torch.short") return Dtype::int16;
  if (name == "torch.half") return Dtype::float16;
  return name.starts_with("torch.") ? dtype_named(std::string_view(name).substr(6)) : std::nullopt;
}

std::vector<std::int64_t> Lowerer::integers(const Expressions& items) {
  std::vector<std::int64_t> numbers;
  for (const Expression& item : items) {
    const Expression value = literal(item);
    const auto* number = std::get_if<std::int64_t>(&value.node);
    if (number == nullptr)
      fail(start_of(item), fmt::format("found {} in a list, expected an int", print(item)),
           "Ops take lists of ints and lists of tensor names");
    numbers.push_back(*number);
  }
  return numbers;
}

/// A list of tensors if the first item is the name of a tensor, otherwise a list of ints.
Value Lowerer::sequence(const Expressions& items) {
  const auto is_tensor = [this](const Expression& item) {
    return std::holds_alternative<Name>(item.node) && std::holds_alternative<Slot>(look_up(item));
  };
  if (items.empty() || !is_tensor(items[0])) return integers(items);
  std::vector<Slot> tensors;
  for (const Expression& item : items) tensors.push_back(tensor_or_meta(item));
  return tensors;
}

Actual Lowerer::evaluate(const Expression& expression) {
  const Place place = start_of(expression);
  const Binding* kept = context_attribute(expression);
  if (kept == nullptr) need_no_part(expression);
  if (kept != nullptr || std::holds_alternative<Name>(expression.node)) {
    const Binding binding = kept != nullptr ? *kept : look_up(expression);
    if (const auto* slot = std::get_if<Slot>(&binding)) return {Value(*slot), place};
    if (std::holds_alternative<DeviceParameter>(binding) && two_devices_)
      return {Value(std::string(kTestDevice)), place};
    if (std::holds_alternative<DeviceParameter>(binding)) return {Dropped::device, place};
    if (const auto* number = std::get_if<KernelNumber>(&binding))
      return {Value(NumberOf{number->parameter}), place, number->kind};
    if (const auto value = literal_of(binding, place)) return evaluate(*value);
    refuse_parameter(binding, expression);
    const bool observation = std::holds_alternative<Observed>(binding);
    fail(place, fmt::format("'{}' is {}", print(expression), observation ? "an observation" : "not a value"),
         std::string(kArgument));
  }
  if (const auto type = dtype(expression)) return {Value(*type), place};
  if (const auto format = memory_format(expression)) return {*format, place};
  if (dotted_name(expression) == "torch.strided") return {Dropped::strided, place};
  if (const auto* list = std::get_if<List>(&expression.node)) return {sequence(list->items), place};
  if (const auto* tuple = std::get_if<Tuple>(&expression.node)) return {sequence(tuple->items), place};
  if (std::holds_alternative<NoneLiteral>(expression.node)) return {Value(None{}), place};
  if (const auto* truth = std::get_if<bool>(&expression.node)) return {Value(*truth), place};
  if (const auto* integer = std::get_if<std::int64_t>(&expression.node)) return {Value(*integer), place};
  if (const auto* real = std::get_if<double>(&expression.node)) return {Value(*real), place};
  if (const auto* number = std::get_if<ComplexNumber>(&expression.node))
    return {Value(Complex{number->real, number->imag}), place};
  if (dotted_name(expression).starts_with("torch."))
    fail(place, fmt::format("{} is not a known name", print(expression)),
         fmt::format("The dtypes are torch.{}", fmt::join(kDtypeNames, ", torch.")));
  if (const auto* text = std::get_if<std::string>(&expression.node)) return {Value(*text), place};
  fail(place, fmt::format("found {} as an argument", print(expression)), std::string(kArgument));
}

Actuals Lowerer::actuals(const Invocation& call, Place place) {
  Actuals all{{}, {}, place};
  for (const Expression& value : call.positional) all.positional.push_back(evaluate(value));
  for (const auto& [name, value] : call.keywords) {
    const std::string* text = name == "device" ? string_in(value) : nullptr;
    if (text != nullptr && *text != kCpu)
      fail(start_of(value), fmt::format("found {} as an argument", print(value)),
           "Programs run on the device that the test is given, and on the CPU: write device=device or "
           "device=\"cpu\"");
    all.keywords.emplace_back(name, evaluate(value));
  }
  return all;
}

const Expression* Lowerer::only_argument(const Invocation& call, std::string_view keyword) {
  if (call.positional.size() + call.keywords.size() != 1) return nullptr;
  if (!call.positional.empty()) return call.positional.data();
  return call.keywords[0].name == keyword ? &call.keywords[0].value : nullptr;
}

void Lowerer::call(const Expression& expression, const Targets& targets) {
  const auto& invocation = std::get<Invocation>(expression.node);
  const Expression& callee = *invocation.callee;
  if (const auto* made = std::get_if<Invocation>(&callee.node)) {
    const std::string transform = dotted_name(*made->callee);
    if (!makes_transform(transform)) unknown_call(callee);
    if (transform == kFunctionalize) return functionalize(*made, invocation, targets);
    if (transform == kGrad || transform == kGradAndValue) return func_grad(*made, invocation, targets);
    return vmap(*made, invocation, targets);
  }
  if (invoke_called(callee, invocation, targets)) return;
  const std::string name = dotted_name(callee);
  const auto* attribute = std::get_if<Attribute>(&callee.node);
  if (attribute == nullptr) {
    const NestedFunction function = named_function(callee);
    if (function.function != nullptr) return inline_function(function, invocation, callee.place, targets);
    unknown_call(callee);
  }
  if (log_call(callee, invocation, targets)) return;
  const bool of_torch = name.starts_with("torch.");
  if (of_torch) need_import("torch", start_of(callee));
  if (name == "torch.autograd.grad") return grad(invocation, callee.place, targets);
  if (name == "torch.autograd.backward") return backward(nullptr, invocation, callee.place, targets);
  if (const auto later = comes_later(name)) fail(start_of(callee), later->problem, later->advice);
  if (makes_transform(name))
    fail(start_of(callee), fmt::format("the function that {} returns is not called", name),
         fmt::format("Write `y = {}(body)(x)`, on one line", name));
  if (name == kLibraryClass) return make_library(invocation, callee.place, targets);
  if (name.starts_with("torch.library.")) return library_function(name, invocation, callee.place, targets);
  if (name.starts_with("torch.ops.") && !name.starts_with(kPacket))
    return invoke(name, invocation, callee.place, targets);
  if (makes_meta_tensor(name, invocation)) return make_meta_tensor(invocation, callee.place, targets);
  if (name == "torch.tensor") return make_tensor(invocation, callee.place, targets);
  if (name == "torch.manual_seed") return manual_seed(invocation, callee.place, targets);
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
  const auto* object = std::get_if<Name>(&attribute->value->node);
  if (object == nullptr || object->id == "pytest") unknown_call(callee);
  if (name == "threading.Thread" || name == "threading.Event") {
    need_import("threading", start_of(callee));
    return name == "threading.Event" ? make_event(invocation, callee.place, targets)
                                     : make_thread(invocation, callee.place, targets);
  }
  if (const Class* definition = class_named(object->id)) {
    if (attribute->name != "apply") unknown_call(callee);
    return apply(*definition, invocation, callee.place, targets);
  }
  if (const Context* ctx = context(*attribute->value)) return context_call(*ctx, callee, invocation, targets);
  const Binding* binding = find(object->id);
  if (const auto* library = binding == nullptr ? nullptr : std::get_if<std::shared_ptr<CustomLibrary>>(binding))
    return library_call(std::shared_ptr<CustomLibrary>(*library), callee, invocation, targets);
  const auto* thread = binding == nullptr ? nullptr : std::get_if<std::shared_ptr<Thread>>(binding);
  if (thread != nullptr) return thread_call(std::shared_ptr<Thread>(*thread), callee, invocation, targets);
  if (const auto* event = binding == nullptr ? nullptr : std::get_if<std::shared_ptr<Event>>(binding))
    return event_call(std::shared_ptr<Event>(*event), callee, invocation, targets);
  if (const auto* hook = binding == nullptr ? nullptr : std::get_if<HookHandle>(binding))
    return hook_call(*hook, callee, invocation, targets);
  const Slot self = tensor(*attribute->value);
  if (attribute->name == kHook || attribute->name == kHookAfter)
    return register_hook(*attribute->value, invocation, attribute->name == kHookAfter, callee.place, targets);
  if (attribute->name == "requires_grad_") return requires_grad_(*attribute->value, invocation, callee.place, targets);
  if (attribute->name == "backward") return backward(&*attribute->value, invocation, callee.place, targets);
  if (attribute->name == "retain_grad") return retain_grad(*attribute->value, invocation, callee.place, targets);
  Actuals all = actuals(invocation, callee.place);
  all.positional.insert(all.positional.begin(), Actual{Value(self), attribute->value->place});
  const std::string method = method_on_device(attribute->name, all);
  op_call(CallForm::method, method, "", all, targets);
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
    fail(start_of(callee), fmt::format("{} is used outside `with`", name),
         fmt::format("Write `with {}(…):` and the statements below it", name));
  if (name == "pytest.raises")
    fail(start_of(callee), "pytest.raises is used outside `with`",
         "Write `with pytest.raises(RuntimeError):` and the statement below it");
  fail(start_of(callee), fmt::format("{} is not something that programs can call", name),
       name.ends_with(".apply") ? "Define the class in this file, with torch.autograd.Function as its base"
                                : "Call an op as torch.NAME(…), x.NAME(…) or torch.ops.aten.NAME(…)");
}

void Lowerer::op_call(CallForm form, const std::string& name, const std::string& overload, const Actuals& actuals,
                      const Targets& targets) {
  const Place place = actuals.place;
  if (form == CallForm::function)
    if (guard_named("torch." + name) != nullptr)
      fail(place, fmt::format("torch.{} is used outside `with`", name),
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
  for (const Value& argument : resolved.arguments) each_slot_of(argument, [&](Slot slot) { need_memory(slot, place); });
  check_results(found, targets);
  const auto is_device = [](const auto& keyword) { return keyword.first == "device"; };
  if (found.kind == OpKind::Factory)
    need_device(qualified_name(found), std::ranges::any_of(actuals.keywords, is_device), place);
  Call call{resolved.op, std::move(resolved.arguments), {}, resolved.requires_grad};
  for (const std::string& target : targets.names) call.results.push_back(scope_.assign(*targets.frame, target));
  const int written = written_argument(found);
  const auto* self = written < 0 ? nullptr : std::get_if<Slot>(&call.arguments[static_cast<std::size_t>(written)]);
  for (const Slot slot : call.results) {
    if (self != nullptr)
      scope_.holds_object_of(slot, *self);
    else
      found.aliases == Aliases::may ? scope_.holds_some_object(slot) : scope_.holds_new_object(slot);
  }
  emit(std::move(call), targets.line);
}

void Lowerer::check_results(const Op& op, const Targets& targets) const {
  if (targets.names.empty()) return;
  if (op.many_results && !targets.unpack)
    fail(targets.place, fmt::format("{} returns a list of tensors, but one name is assigned", qualified_name(op)),
         "Write one name for each tensor, as in `a, b = x.split(1)`; for a single one `a, = x.split(2)`");
  if (op.many_results) return;
  if (op.results > 1 && (!targets.unpack || targets.names.size() != op.results))
    fail(targets.place,
         fmt::format("{} returns {} tensors, but {} {} assigned", qualified_name(op), op.results, targets.names.size(),
                     targets.names.size() == 1 ? "name is" : "names are"),
         "Write one name for each tensor, as in `v, i = x.max(0)`");
  if (op.results == 1 && targets.unpack)
    fail(targets.place, fmt::format("{} returns one tensor", qualified_name(op)),
         "Assign it to one name, without a comma");
}

}  // namespace plumbline::program
