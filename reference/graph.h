// The graph that autograd records: which node a tensor is the output of, and what a node keeps for backward.
#pragma once

#include "reference/kernels.h"

namespace plumbline::reference {

/// Where a gradient of the tensor goes. Asks for its history first, so it may raise [torch/csrc/autograd/variable.cpp,
/// impl::gradient_edge].
Edge gradient_edge(const Judge& judge, State& state, TensorId tensor);

/// A node for a call that is about to run; `tensors` are its tensor arguments in order, those of lists too.
NodeId begin_node(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                  const std::vector<TensorId>& tensors);
/// Makes a tensor output `output` of the node; `through_view`: because a view of it was written.
void set_gradient_edge(const Judge& judge, State& state, TensorId tensor, NodeId node, std::int32_t output,
                       bool through_view = false);
/// The output whose gradient the tensor retains, if it does.
Node::Output* retaining_output(State& state, TensorId tensor);
/// Adds to a node an output like `tensor`, and returns its number.
std::int32_t add_output(State& state, NodeId node, TensorId tensor, bool differentiable = true);
/// What a tensor is saved as; `original`: the tensor itself is (`SavedTensor::original`).
SavedTensor saved_tensor(const State& state, TensorId tensor, bool original);
/// A tensor argument and its place in the schema; the tensors of a list share theirs.
struct Placed {
  std::size_t place;
  Operand operand;
};
/// Saves what the derivative needs, of the arguments and the results [tools/autograd/derivatives.yaml].
void save_for_backward(const Judge& judge, State& state, NodeId node, const std::vector<Placed>& operands,
                       const std::vector<TensorId>& results);
/// The written tensor's history becomes the node's; a tracked view's base is rebased
/// [torch/csrc/autograd/variable.cpp, impl::rebase_history].
void rebase_history(const Judge& judge, State& state, TensorId written, NodeId node);
/// A tracked view's history, made anew from its base.
void regenerate_history(const Judge& judge, State& state, TensorId view);

/// The gradients of a node's inputs from those of its outputs (nothing: none was given). An input to which no gradient
/// goes has none. Raises where a saved tensor was written or freed; runs a custom function's backward.
/// `tensors`, where it is not null: the tensors that those of the outputs are (kNoTensor: none that is known), which a
/// custom backward is handed; then, of a custom function, those that it gave.
using Gradient = std::optional<std::vector<Element>>;
std::vector<Gradient> input_gradients(const Judge& judge, State& state, NodeId node, const std::vector<Gradient>& given,
                                      std::vector<TensorId>* tensors = nullptr);

}  // namespace plumbline::reference
