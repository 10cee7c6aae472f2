// The graph that autograd records: nodes, their outputs, and what a node keeps for backward.
#pragma once

#include "reference/kernels.h"

namespace plumbline::reference {

/// Where a gradient of the tensor goes. First asks for the tensor's history, so it may raise an error
/// [torch/csrc/autograd/variable.cpp, impl::gradient_edge].
Edge gradient_edge(const Judge& judge, State& state, TensorId tensor);

/// Makes a node for a call before it runs; `tensors`: its tensor arguments in order, including those in lists.
NodeId begin_node(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                  const std::vector<TensorId>& tensors);
/// Makes a tensor output `output` of the node; `through_view`: because a view of it was written.
void set_gradient_edge(const Judge& judge, State& state, TensorId tensor, NodeId node, std::int32_t output,
                       bool through_view = false);
/// The output whose gradient the tensor retains, if it does.
Node::Output* retaining_output(State& state, TensorId tensor);
/// Adds to a node an output like `tensor`, and returns its number.
std::int32_t add_output(State& state, NodeId node, TensorId tensor, bool differentiable = true);
/// Saves a tensor; `original`: the tensor itself (`SavedTensor::original`).
SavedTensor saved_tensor(const State& state, TensorId tensor, bool original);
/// A tensor argument and its place in the schema; the tensors of a list share one place.
struct Placed {
  std::size_t place;
  Operand operand;
};
/// Saves the arguments and results that the derivative needs; `needed`: by number in `saves_of`
/// [tools/autograd/derivatives.yaml]. Raises an error if a result must not be saved, and as `pack`.
void save_for_backward(const Judge& judge, State& state, NodeId node, const std::vector<Placed>& operands,
                       const std::vector<bool>& needed, const std::vector<TensorId>& results);
/// What a node saves: that of its op, or what was learned of a call by schema.
std::span<const Saves> saves_of(const Node& node);
/// Before the op runs, gives the arguments that will be saved to the pack hook in effect. Raises as `pack`.
void pack_inputs(const Judge& judge, State& state, NodeId node, const std::vector<Placed>& operands,
                 const std::vector<bool>& needed);
/// The written tensor's history becomes the node's; a tracked view's base is rebased
/// [torch/csrc/autograd/variable.cpp, impl::rebase_history].
void rebase_history(const Judge& judge, State& state, TensorId written, NodeId node);

/// Whether the node is of an op that is recorded and has no derivative.
bool lacks_derivative(const Judge& judge, const Node& node);
/// Raises the error of such a node.
void check_derivative(const Judge& judge, const Node& node);
/// A saved tensor's elements. Raises an error if it was written since it was saved, or has lost its history.
std::vector<Element> unpack(const Judge& judge, State& state, const SavedTensor& saved);

/// Raises the errors of a node that no gradient reached: see AUT-68.
void look_at_saved(const Judge& judge, State& state, NodeId id);

/// Computes the gradients of a node's inputs from those of its outputs; an absent gradient is nothing. Raises an error
/// if a saved tensor was written or freed; runs a custom function's backward. `tensors`, if not null: the tensors of
/// the outputs' gradients (kNoTensor: unknown), which a custom backward receives; afterwards the tensors that it
/// returned.
using Gradient = std::optional<std::vector<Element>>;
std::vector<Gradient> input_gradients(const Judge& judge, State& state, NodeId node, const std::vector<Gradient>& given,
                                      std::vector<TensorId>* tensors = nullptr);

}  // namespace plumbline::reference
