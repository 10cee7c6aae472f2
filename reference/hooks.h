// The hooks of tensors: which tensors have them, and calling them with gradients.
#pragma once

#include <optional>
#include <vector>

#include "reference/state.h"

namespace plumbline::reference {

/// `x.register_hook(hook)`; `function`: the hook's index in `State::functions`.
void register_hook(const Judge& judge, State& state, TensorId tensor, std::int32_t function);
/// `x.register_post_accumulate_grad_hook(hook)`.
void register_hook_after(const Judge& judge, State& state, TensorId tensor, std::int32_t function);
/// `h.remove()`.
void remove_hook(const Judge& judge, State& state, std::int32_t function);

/// The tensor gets a new grad_fn: an output of `node`.
void new_grad_fn_for_hooks(const Judge& judge, State& state, TensorId tensor, NodeId node, std::int32_t output);

/// The hooks of a node's output, or of a leaf, in the order of their registration.
std::vector<std::int32_t> hooks_of_output(const State& state, NodeId node, std::int32_t output);
std::vector<std::int32_t> hooks_of_leaf(const State& state, TensorId leaf);

/// Runs a hook's body with its argument, and returns what it returns. Raises what its body raises.
std::optional<TensorId> run_hook(const Judge& judge, State& state, std::int32_t function, TensorId argument);

/// Calls a hook with the gradient, and returns the gradient that it leaves. Raises what its body raises, and
/// hook_result. Throws ReferenceLimit if it changes the sizes of the gradient that it got.
TensorId call_hook(const Judge& judge, State& state, std::int32_t function, TensorId gradient);

/// Calls a hook after accumulation with the leaf. Raises what its body raises.
void call_hook_after(const Judge& judge, State& state, std::int32_t function, TensorId leaf);

}  // namespace plumbline::reference
