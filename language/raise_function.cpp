// Raising custom functions, hooks and functionalized bodies: each becomes a class or a function of its own.
#include <fmt/format.h>

#include <algorithm>

#include "language/observe.h"
#include "language/refusal.h"
#include "language/script_raiser.h"

namespace plumbline::program {

const CustomBackward& Raiser::custom_at(std::int32_t function) const {
  const auto f = static_cast<std::size_t>(function);
  if (f >= test_.script.functions.size()) cannot(at_, "its function is missing");
  return test_.script.functions[f];
}

void Raiser::write_body(const CustomBackward& custom, Kind kind) {
  blocks_.push_back({.kind = kind});
  in_backward_ = true;
  for (const Statement& statement : custom.statements) write(statement);
  in_backward_ = false;
  need_innermost(kind, "a guard");
}

void Raiser::write(const LeaveForward& leave) {
  need_innermost(Kind::forward, "a forward");
  const CustomBackward& custom = custom_at(blocks_.back().enter.function);
  const std::vector<Slot> inputs = blocks_.back().enter.inputs;
  write_body(custom, Kind::backward);
  OpenBlock backward = std::move(blocks_.back());
  blocks_.pop_back();
  OpenBlock& open = blocks_.back();
  const bool takes_device = open.needs_device || backward.needs_device;
  const bool takes_log = open.needs_log || backward.needs_log;
  open.needs_device = takes_device;
  open.needs_log = takes_log;
  Function forward = forward_of(leave, backward);
  const std::string class_name = fresh(is_python_name(custom.name) ? custom.name : "F");
  Class& made = program_.classes.emplace_back();
  made.name = class_name;
  made.methods = {std::move(forward),
                  backward_of(custom, std::move(backward.body), (takes_device ? 1 : 0) + (takes_log ? 1 : 0))};
  Expressions arguments;
  for (const Slot slot : inputs) arguments.push_back(named(slot));
  if (takes_device) arguments.push_back(device(true));
  if (takes_log) arguments.push_back(log());
  Assign applied{{}, leave.returned.size() != 1, call_of(class_name + ".apply", std::move(arguments))};
  for (const Slot slot : leave.results) applied.targets.push_back(name(slot));
  add(std::move(applied));
}

/// Ends the innermost block, a forward's. `backward`: what it needs, it has from ctx.
Function Raiser::forward_of(const LeaveForward& leave, const OpenBlock& backward) {
  OpenBlock& open = blocks_.back();
  Function forward;
  forward.name = "forward";
  forward.parameters = {"ctx"};
  for (const Slot slot : open.enter.inputs) {
    const bool again = std::ranges::find(forward.parameters, name(slot)) != forward.parameters.end();
    forward.parameters.push_back(again ? fresh(name(slot)) : name(slot));
  }
  if (open.needs_device) forward.parameters.emplace_back("device");
  if (open.needs_log) forward.parameters.push_back(log_);
  if (leave.returned.empty()) cannot(at_, "a forward returns nothing");
  if (!ends_by_raising(open.body)) add(Return{tuple_of(leave.returned)});
  const auto keep = [&](const std::string& kept) {
    open.body.insert(open.body.begin(), Line{SetAttribute{"ctx", kept, dotted(kept)}, {}, ""});
  };
  if (backward.needs_log) keep(log_);
  if (backward.needs_device) keep("device");
  forward.body = finished();
  return forward;
}

/// `without_gradient`: how many of forward's last arguments are no tensors.
Function Raiser::backward_of(const CustomBackward& custom, Block body, std::size_t without_gradient) const {
  Function backward;
  backward.name = "backward";
  backward.parameters = {"ctx"};
  for (const Slot slot : custom.gradients) backward.parameters.push_back(name(slot));
  backward.body = std::move(body);
  if (ends_by_raising(backward.body)) return backward;
  Tuple returned;
  for (const auto& slot : custom.returned)
    returned.items.push_back(slot ? named(*slot) : Expression{NoneLiteral{}, {}});
  for (std::size_t i = 0; i < without_gradient; ++i) returned.items.push_back({NoneLiteral{}, {}});
  if (returned.items.empty()) cannot(at_, "a forward takes no tensor");
  backward.body.push_back(
      Line{Return{returned.items.size() == 1 ? returned.items[0] : Expression{returned, {}}}, {}, ""});
  return backward;
}

void Raiser::write(const ContextCall& call) {
  Expressions tensors;
  for (const Slot slot : call.tensors) tensors.push_back(named(slot));
  const std::string method(kContextKindNames[static_cast<std::size_t>(call.kind)]);
  add(Assign{{}, false, call_of("ctx." + method, std::move(tensors))});
}

void Raiser::write(const LoadSaved& load) {
  if (load.results.empty()) return;
  Assign assign{{}, true, dotted("ctx.saved_tensors")};
  for (const Slot slot : load.results) assign.targets.push_back(name(slot));
  add(std::move(assign));
}

Function Raiser::hook_of(const CustomBackward& custom) {
  Function hook;
  hook.name = fresh(is_python_name(custom.name) ? custom.name : "hook");
  hook.parameters = {name(custom.gradients.at(0))};
  write_body(custom, Kind::hook);
  const auto& returned = custom.returned.at(0);
  if (returned && !ends_by_raising(blocks_.back().body)) add(Return{named(*returned)});
  hook.body = finished();
  return hook;
}

void Raiser::write(const RegisterHook& hook) {
  Function function = hook_of(custom_at(hook.function));
  Expressions given{{Name{function.name}, {}}};
  add(Define{std::make_shared<const Function>(std::move(function))});
  Assign assign{
      {}, false, call_of(fmt::format("{}.{}", name(hook.tensor), hook.after ? kHookAfter : kHook), std::move(given))};
  const bool removed = std::ranges::any_of(test_.script.statements, [&](const Statement& statement) {
    const auto* remove = std::get_if<RemoveHook>(&statement.kind);
    return remove != nullptr && remove->function == hook.function;
  });
  if (removed) assign.targets.push_back(handles_[hook.function] = fresh("h"));
  add(std::move(assign));
}

void Raiser::write(const RemoveHook& hook) {
  if (!handles_.contains(hook.function)) cannot(at_, "the hook that it removes is not registered before");
  add(Assign{{}, false, call_of(handles_[hook.function] + ".remove", {})});
}

void Raiser::write(const EnterSavedTensorsHooks& hooks) {
  Expressions names;
  for (const std::int32_t number : {hooks.pack, hooks.unpack}) {
    Function function = hook_of(custom_at(number));
    names.push_back({Name{function.name}, {}});
    add(Define{std::make_shared<const Function>(std::move(function))});
  }
  blocks_.push_back({.kind = Kind::guard, .item = call_of(std::string(kSavedTensorsHooks), std::move(names))});
}

void Raiser::write(const LeaveFunctionalize& leave) {
  need_innermost(Kind::body, "a functionalized body");
  const EnterFunctionalize enter = blocks_.back().body_of;
  write_body(enter.parameters, leave, [&](const std::string& body) { return calls_.functionalized(body, enter); });
}

void Raiser::write(const LeaveTransform& leave) {
  need_innermost(Kind::transformed, "the body of a transform");
  const EnterTransform enter = blocks_.back().transformed;
  write_body(enter.parameters, leave, [&](const std::string& body) {
    return leave.differentiates ? calls_.differentiated(body, enter) : calls_.mapped(body, enter, leave);
  });
}

template <class Leave, class Called>
void Raiser::write_body(const std::vector<Slot>& parameters, const Leave& leave, const Called& called) {
  Function body;
  body.name = fresh("body");
  for (const Slot slot : parameters) body.parameters.push_back(name(slot));
  if (!leave.returned.empty()) add(Return{tuple_of(leave.returned)});
  body.body = finished();
  Assign applied{{}, leave.results.size() > 1, called(body.name)};
  add(Define{std::make_shared<const Function>(std::move(body))});
  for (const Slot slot : leave.results) applied.targets.push_back(name(slot));
  add(std::move(applied));
}

}  // namespace plumbline::program
