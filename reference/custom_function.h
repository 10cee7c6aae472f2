// Custom torch.autograd.Function: the steps around forward's body, and running backward's body.
#pragma once

#include "reference/graph.h"

namespace plumbline::reference {

/// Raises an error if a backward has freed the node's saved tensors.
void check_freed(const Judge& judge, const Node& node);

void enter_forward(const Judge& judge, State& state, const EnterForward& enter);
void leave_forward(const Judge& judge, State& state, const LeaveForward& leave);
/// A call of `ctx` in the running forward; throws std::logic_error if the script has none.
void call_context(const State& state, Frame& frame, const ContextCall& call);
void load_saved(const Judge& judge, State& state, const LoadSaved& load);

/// Runs the backward of a custom function's apply; `tensors` as in input_gradients().
std::vector<Gradient> run_custom_backward(const Judge& judge, State& state, NodeId node,
                                          const std::vector<Gradient>& given, std::vector<TensorId>* tensors);

}  // namespace plumbline::reference
