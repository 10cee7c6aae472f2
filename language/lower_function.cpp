// Lowering custom functions: each `F.apply(…)` becomes F.forward's statements between EnterForward and LeaveForward,
// and a backward of its own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kContext =
    "ctx has save_for_backward, mark_dirty, mark_non_differentiable, saved_tensors, and attributes of your own";

bool is_tensor(const Binding& binding) { return std::holds_alternative<Slot>(binding); }
/// A literal, the device or the log.
bool is_constant(const Binding& binding) {
  return std::holds_alternative<Expression>(binding) || std::holds_alternative<DeviceParameter>(binding) ||
         std::holds_alternative<EmptyList>(binding);
}

}  // namespace

const Class* Lowerer::class_named(std::string_view name) const {
  const auto found = std::ranges::find(program_.classes, name, &Class::name);
  return found == program_.classes.end() ? nullptr : &*found;
}

const Function& Lowerer::method_of(const Class& of, std::string_view name) const {
  for (const Function& method : of.methods) {
    if (method.name != "forward" && method.name != "backward")
      fail(method.place, fmt::format("the class {} has a method '{}'", of.name, method.name),
           "A class has the two methods forward and backward");
    if (method.parameters.empty())
      fail(method.place, fmt::format("{}.{} has no parameter `ctx`", of.name, method.name),
           fmt::format("Define it as `def {}(ctx, …):`", method.name));
  }
  const auto found = std::ranges::find(of.methods, name, &Function::name);
  if (found == of.methods.end())
    fail(of.place, fmt::format("the class {} has no method {}", of.name, name),
         fmt::format("Define `@staticmethod` and `def {}(ctx, …):` in it", name));
  if (std::ranges::count(of.methods, name, &Function::name) > 1)
    fail(of.place, fmt::format("the class {} has two methods {}", of.name, name), "Define it once");
  return *found;
}

/// Lowers a method's body and gives its return value.
Lowerer::Returned Lowerer::method_body(const Class& of, const Function& method, std::map<std::string, Binding> names,
                                       const std::shared_ptr<Apply>& apply, Place place) {
  Frame frame{fmt::format("{}.{}", of.name, method.name), "", std::move(names)};
  frame.names.insert_or_assign(method.parameters[0], Context{apply});
  contexts_.push_back(apply);
  Returned returned = returned_by(method, std::move(frame), place);
  contexts_.pop_back();
  return returned;
}

/// `y = F.apply(x, 2)`.
void Lowerer::apply(const Class& of, const Invocation& call, Place place, const Targets& targets) {
  if (in_backward_)
    fail(place, fmt::format("{}.apply is called in a backward", of.name),
         "A backward contains op calls and guards only");
  const Function& forward = method_of(of, "forward");
  const Function& backward = method_of(of, "backward");
  if (!call.keywords.empty())
    fail(place, fmt::format("{}.apply is given {}=", of.name, call.keywords[0].name),
         "It takes no keyword arguments: write only the value");
  if (call.positional.size() + 1 != forward.parameters.size())
    fail(place,
         fmt::format("{}.apply is given {} arguments, but its forward takes {}", of.name, call.positional.size(),
                     forward.parameters.size() - 1),
         fmt::format("It is defined as forward({})", fmt::join(forward.parameters, ", ")));
  auto made = std::make_shared<Apply>();
  made->function = &of;
  std::map<std::string, Binding> names;
  EnterForward enter{static_cast<std::int32_t>(test_.script.functions.size()), {}};
  std::vector<bool> tensors;
  for (std::size_t i = 0; i < call.positional.size(); ++i) {
    const Expression& argument = call.positional[i];
    const Binding value = std::holds_alternative<Name>(argument.node) ? look_up(argument) : Binding(literal(argument));
    if (!is_tensor(value) && !is_constant(value))
      fail(start_of(argument), fmt::format("{}.apply is given {}", of.name, print(argument)),
           "It takes tensors, literals, `device` and the log");
    tensors.push_back(is_tensor(value));
    if (is_tensor(value)) need_memory(std::get<Slot>(value), start_of(argument));
    if (is_tensor(value)) enter.inputs.push_back(std::get<Slot>(value));
    names.emplace(forward.parameters[i + 1], value);
  }
  test_.script.functions.push_back({of.name, {}, {}, {}});
  const auto function = static_cast<std::size_t>(enter.function);
  const std::vector<Slot> inputs = enter.inputs;
  emit(std::move(enter), targets.line);
  Returned returned = method_body(of, forward, std::move(names), made, place);
  if (returned.values.empty() && ends_by_raising(forward.body) && !inputs.empty()) {
    // It never returns. So that the numbers fit, its results are inputs, one for each gradient of its backward.
    returned.values.assign(backward.parameters.size() - 1, {inputs.front(), place});
    returned.tuple = returned.values.size() != 1;
  }
  test_.script.functions[function].gradients.resize(returned.values.size());
  leave_forward(of, forward, returned, *made, targets);
  lower_backward(backward, made, function, tensors, place);
}

void Lowerer::check_targets(std::string_view function, const Returned& returned, const Targets& targets) const {
  const std::size_t count = returned.values.size(), names = targets.names.size();
  if (names == 0 || (targets.unpack == returned.tuple && names == count)) return;
  const std::string what = returned.tuple ? fmt::format("a tuple of {}", count) : count == 0 ? "nothing" : "one tensor";
  fail(targets.place,
       fmt::format("{} returns {}, but {} {} assigned", function, what, names, names == 1 ? "name is" : "names are"),
       "Write one name for each value to the left of '=', with commas between them");
}

Slot Lowerer::result_slot(const Targets& targets, std::size_t result) {
  return targets.names.empty() ? scope_.fresh("unused") : scope_.assign(*targets.frame, targets.names[result]);
}

void Lowerer::leave_forward(const Class& of, const Function& forward, const Returned& returned, const Apply& made,
                            const Targets& targets) {
  LeaveForward leave;
  for (const auto& [value, place] : returned.values) {
    if (!value)
      fail(place, fmt::format("{}.forward returns something that is not a tensor", of.name), "Return tensors");
    leave.returned.push_back(*value);
  }
  if (leave.returned.empty())
    fail(forward.place, fmt::format("{}.forward returns no tensor", of.name), "End it with `return` and a tensor");
  const std::size_t count = leave.returned.size();
  check_targets(of.name + ".forward", returned, targets);
  for (std::size_t i = 0; i < count; ++i) {
    const Slot result = result_slot(targets, i);
    leave.results.push_back(result);
    const bool itself = std::ranges::find(made.dirty, leave.returned[i]) != made.dirty.end();
    itself ? scope_.holds_object_of(result, leave.returned[i]) : scope_.holds_new_object(result);
  }
  emit(std::move(leave), targets.line);
}

/// `tensors`: which of forward's arguments are tensors; the others have no gradient.
void Lowerer::lower_backward(const Function& backward, const std::shared_ptr<Apply>& made, std::size_t function,
                             const std::vector<bool>& tensors, Place place) {
  const Class& of = *made->function;
  CustomBackward lowered = test_.script.functions[function];
  if (backward.parameters.size() - 1 != lowered.gradients.size())
    fail(backward.place,
         fmt::format("{}.backward takes {} gradients, but its forward returns {}", of.name,
                     backward.parameters.size() - 1, lowered.gradients.size()),
         "Give it one parameter after ctx for each tensor that forward returns");
  made->in_backward = true;
  Frame parameters{"", "", {}};
  for (std::size_t i = 0; i < lowered.gradients.size(); ++i) {
    lowered.gradients[i] = scope_.assign(parameters, backward.parameters[i + 1]);
    scope_.holds_new_object(lowered.gradients[i]);
  }
  std::vector<Statement>* const around = std::exchange(into_, &lowered.statements);
  in_backward_ = true;
  const Returned returned = method_body(of, backward, std::move(parameters.names), made, place);
  in_backward_ = false;
  into_ = around;
  if (ends_by_raising(backward.body)) {
    lowered.returned.assign(static_cast<std::size_t>(std::ranges::count(tensors, true)), std::nullopt);
    test_.script.functions[function] = std::move(lowered);
    return;
  }
  const bool nothing = returned.values.empty() && tensors.size() == 1;  // it returns None
  const bool all_tensors = std::ranges::all_of(tensors, [](bool tensor) { return tensor; });
  const bool fits = nothing || returned.values.size() == tensors.size();
  if (!fits && all_tensors) {  // raises when the program runs, which a program may show (AUT-47)
    for (const auto& value : returned.values) lowered.returned.push_back(value.value);
    test_.script.functions[function] = std::move(lowered);
    return;
  }
  if (!fits)
    fail(backward.place,
         fmt::format("{}.backward returns {} gradients, but its forward takes {} arguments", of.name,
                     returned.values.size(), tensors.size()),
         "Return one for each of forward's arguments after ctx, and None for an argument that is not a tensor");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto value = nothing ? std::nullopt : returned.values[i].value;
    if (tensors[i])
      lowered.returned.push_back(value);
    else if (value)
      fail(returned.values[i].place,
           fmt::format("{}.backward returns a gradient for forward's argument {}, which is not a tensor", of.name,
                       i + 1),
           "Return None for it");
  }
  test_.script.functions[function] = std::move(lowered);
}

/// The method that `ctx` belongs to must be the one that is being lowered.
const Context* Lowerer::context(const Expression& expression) {
  const auto* name = std::get_if<Name>(&expression.node);
  const Binding* binding = name == nullptr ? nullptr : find(name->id);
  return binding == nullptr ? nullptr : std::get_if<Context>(binding);
}

/// `ctx.save_for_backward(x, y)`, `ctx.mark_dirty(x)`, `ctx.mark_non_differentiable(y)`.
void Lowerer::context_call(const Context& ctx, const Expression& callee, const Invocation& call,
                           const Targets& targets) {
  const std::string& name = std::get<Attribute>(callee.node).name;
  const auto kind = std::ranges::find(kContextKindNames, name);
  if (kind == kContextKindNames.end())
    fail(callee.place, fmt::format("ctx has no method '{}' in programs", name), std::string(kContext));
  if (ctx.apply->in_backward)
    fail(callee.place, fmt::format("ctx.{} is called in a backward", name), "Call it in forward");
  if (!call.keywords.empty() || !targets.names.empty())
    fail(callee.place, fmt::format("ctx.{} takes only tensors and returns nothing", name),
         fmt::format("Write ctx.{}(x)", name));
  ContextCall made{static_cast<ContextKind>(kind - kContextKindNames.begin()), {}};
  for (const Expression& argument : call.positional) made.tensors.push_back(tensor(argument));
  if (made.kind == ContextKind::save_for_backward) ctx.apply->saved = made.tensors;
  if (made.kind == ContextKind::mark_dirty) ctx.apply->dirty = made.tensors;
  emit(std::move(made), targets.line);
}

/// `ctx.name = value`.
void Lowerer::set_context(const Context& ctx, const SetAttribute& set, Place place) {
  if (ctx.apply->in_backward) fail(place, "an attribute of ctx is set in a backward", "Set it in forward");
  if (set.attribute == "saved_tensors" ||
      std::ranges::find(kContextKindNames, set.attribute) != kContextKindNames.end())
    fail(place, fmt::format("ctx.{} cannot be assigned to", set.attribute), "Choose another name");
  const Binding value = std::holds_alternative<Name>(set.value.node) ? look_up(set.value) : Binding(literal(set.value));
  if (is_tensor(value))
    fail(start_of(set.value), fmt::format("ctx.{} is set to a tensor", set.attribute),
         "Save tensors with ctx.save_for_backward(…)");
  if (!is_constant(value))
    fail(start_of(set.value), fmt::format("'{}' is not a literal", print(set.value)), "Write the value itself");
  ctx.apply->attributes.insert_or_assign(set.attribute, value);
}

/// The value of `ctx.name`, or null for another expression.
const Binding* Lowerer::context_attribute(const Expression& expression) {
  const auto* attribute = std::get_if<Attribute>(&expression.node);
  const Context* ctx = attribute == nullptr ? nullptr : context(*attribute->value);
  if (ctx == nullptr) return nullptr;
  const auto found = ctx->apply->attributes.find(attribute->name);
  if (found != ctx->apply->attributes.end()) return &found->second;
  if (attribute->name == "saved_tensors")
    fail(start_of(expression), "ctx.saved_tensors is used inside another expression",
         "Give the tensors names first, as in `x, y = ctx.saved_tensors`");
  fail(expression.place, fmt::format("ctx.{} is not set", attribute->name), std::string(kContext));
}

/// `x, y = ctx.saved_tensors`; false for another value.
bool Lowerer::load_saved(const Expression& value, const Targets& targets) {
  const auto* attribute = std::get_if<Attribute>(&value.node);
  const Context* ctx =
      attribute == nullptr || attribute->name != "saved_tensors" ? nullptr : context(*attribute->value);
  if (ctx == nullptr) return false;
  const Apply& apply = *ctx->apply;
  if (!apply.in_backward) fail(value.place, "ctx.saved_tensors is read in a forward", "Read it in backward");
  if (!targets.unpack || targets.names.size() != apply.saved.size())
    fail(targets.place,
         fmt::format("{}.forward saved {} tensors, but {} {} assigned", apply.function->name, apply.saved.size(),
                     targets.names.size(), targets.names.size() == 1 ? "name is" : "names are"),
         "Write one name for each tensor, as in `x, y = ctx.saved_tensors`; for a single one `x, = ctx.saved_tensors`");
  LoadSaved load;
  for (const std::string& name : targets.names) {
    load.results.push_back(scope_.assign(*targets.frame, name));
    scope_.holds_new_object(load.results.back());
  }
  emit(std::move(load), targets.line);
  return true;
}

}  // namespace plumbline::program
