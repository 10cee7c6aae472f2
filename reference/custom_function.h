// Custom torch.autograd.Function: what happens around forward's body, and backward's body.
#pragma once

#include "reference/graph.h"

namespace plumbline::reference {

/// The elements of a saved tensor; raises where it was written since.
std::vector<Element> unpack(const Judge& judge, State& state, const SavedTensor& saved);
/// Raises where a backward has freed what the node saved.
void check_freed(const Judge& judge, const Node& node);

void enter_forward(const Judge& judge, State& state, const EnterForward& enter);
void leave_forward(const Judge& judge, State& state, const LeaveForward& leave);
/// Of the forward that runs, or, in a script that has none, an error of the script.
void call_context(const State& state, Frame& frame, const ContextCall& call);
void load_saved(const Judge& judge, State& state, const LoadSaved& load);

/// Runs the backward of a custom function's apply; `tensors` as in input_gradients().
std::vector<Gradient> run_custom_backward(const Judge& judge, State& state, NodeId node,
                                          const std::vector<Gradient>& given, std::vector<TensorId>* tensors);

}  // namespace plumbline::reference
