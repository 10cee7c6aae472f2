// The hooks of tensors [torch/csrc/autograd/variable.cpp, VariableHooks::_register_hook, and hooks_ in variable.h].
#include "reference/hooks.h"

#include <algorithm>

#include "reference/call.h"
#include "reference/dtype_words.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/machine/backward.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_hooks.h"

namespace plumbline::reference {

namespace {

Node& node_of(State& state, NodeId id) { return state.nodes[static_cast<std::size_t>(id)]; }

std::vector<std::int32_t>& hooks_in(State& state, std::int32_t list) {
  return state.hooks[static_cast<std::size_t>(list)];
}

}  // namespace

std::optional<TensorId> run_hook(const Judge& judge, State& state, std::int32_t function, TensorId argument) {
  const CustomBackward hook = state.functions.at(static_cast<std::size_t>(function));
  const BodyScope scope(state, kNoNode);
  bind(state, hook.gradients.front(), argument);
  const Outcome outcome = run_body(judge, state, hook.statements);
  const bool raised = outcome.failure.error != ErrorClass::none;
  for (std::size_t i = 0; i < (raised ? outcome.statement : hook.statements.size()); ++i) {
    const auto* call = std::get_if<Call>(&hook.statements[i].kind);
    state.hook_wrote = state.hook_wrote || (call != nullptr && written_argument(op(call->op)) >= 0);
  }
  if (raised) throw Raise{outcome.failure};
  const auto& returned = hook.returned.front();
  return returned ? std::optional(held(state, *returned)) : std::nullopt;
}

void register_hook(const Judge& judge, State& state, TensorId id, std::int32_t function) {
  World world(judge, state);
  machine::check_hook(world, id);
  const auto known = state.hooked.find(id);
  if (known != state.hooked.end() && known->second.open) return hooks_in(state, known->second.list).push_back(function);
  const std::int64_t recorded_at = at(state, id).recorded_at;
  state.hooks.emplace_back();
  const auto list = static_cast<std::int32_t>(state.hooks.size()) - 1;
  const auto failed = [&] {
    if (registration_lasts<Concrete>(judge, true).v) state.hooked[id] = {list, true};
  };
  world.attempt([&] { machine::ask_history(world, id); }, failed);
  const bool regenerated = at(state, id).recorded_at != recorded_at;
  if (retaining_ends_process<Concrete>(judge, regenerated).v)  // as retain_grad(): AUT-54
    throw ReferenceLimit("register_hook() on a view whose base was written after the view was made");
  hooks_in(state, list).push_back(function);
  state.hooked[id] = {list, true};
  const Tensor& tensor = at(state, id);
  if (tensor.node != kNoNode) node_of(state, tensor.node).hooks.push_back({tensor.output, list});
}

void register_hook_after(const Judge& judge, State& state, TensorId id, std::int32_t function) {
  World world(judge, state);
  machine::check_hook_after(world, id);
  state.hooked_after[id].push_back(function);
}

void remove_hook(const Judge& judge, State& state, std::int32_t function) {
  if (!hook_is_removed(judge).v) return;
  for (auto& list : state.hooks) std::erase(list, function);
  for (auto& [leaf, list] : state.hooked_after) std::erase(list, function);
}

void new_grad_fn_for_hooks(const Judge& judge, State& state, TensorId id, NodeId to, std::int32_t output) {
  const auto found = state.hooked.find(id);
  if (found == state.hooked.end()) return;
  TensorHooks& of = found->second;
  if (hooks_move<Concrete>(judge, true).v) {
    for (Node& node : state.nodes)
      std::erase_if(node.hooks, [&](const Node::Hooks& hooks) { return hooks.list == of.list; });
    node_of(state, to).hooks.push_back({output, of.list});
  } else if (later_hook_is_of_new_value<Concrete>(judge, true).v) {
    of.open = false;
  }
}

std::vector<std::int32_t> hooks_of_output(const State& state, NodeId node, std::int32_t output) {
  std::vector<std::int32_t> all;
  for (const Node::Hooks& one : state.nodes[static_cast<std::size_t>(node)].hooks) {
    if (one.output != output) continue;
    const auto& list = state.hooks[static_cast<std::size_t>(one.list)];
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

std::vector<std::int32_t> hooks_of_leaf(const State& state, TensorId leaf) {
  const auto found = state.hooked.find(leaf);
  return found == state.hooked.end() ? std::vector<std::int32_t>()
                                     : state.hooks[static_cast<std::size_t>(found->second.list)];
}

TensorId call_hook(const Judge& judge, State& state, std::int32_t function, TensorId gradient) {
  const Sizes sizes = sizes_of(at(state, gradient).geometry);
  const Dtype dtype = at(state, gradient).dtype;
  const std::optional<TensorId> returned = run_hook(judge, state, function, gradient);
  if (sizes_of(at(state, gradient).geometry) != sizes || at(state, gradient).dtype != dtype)
    throw ReferenceLimit("a hook that changes the sizes or the dtype of the gradient that it gets");
  if (!returned) return gradient;
  const Tensor& given = at(state, *returned);
  if (given.device != at(state, gradient).device)
    throw ReferenceLimit("a hook that returns a gradient of another device");
  const bool fits = sizes_of(given.geometry) == sizes && given.dtype == dtype;
  const std::string& name = state.functions.at(static_cast<std::size_t>(function)).name;
  World world(judge, state, {.message = [&](ErrorClass) {
                return given.dtype != dtype
                           ? text("hook '", name, "' has changed the type of value (was torch.", scalar_name(dtype),
                                  "Tensor got torch.", scalar_name(given.dtype), "Tensor)")
                           : text("hook '", name, "' has changed the size of value");
              }});
  return machine::hook_replaces<World>(world, *returned, fits).v ? *returned : gradient;
}

void call_hook_after(const Judge& judge, State& state, std::int32_t function, TensorId leaf) {
  state.hook_wrote = true;  // if backward raises an error now or later, nothing undoes what the hook saw
  (void)run_hook(judge, state, function, leaf);
}

}  // namespace plumbline::reference
