// The derivatives of ops as PyTorch's formulas: ops on tensors, which autograd records if grad mode is on.
#pragma once

#include <vector>

#include "reference/graph.h"

namespace plumbline::reference {

/// The gradients of the inputs of an op's node that `wanted` names, from those of its outputs; kNoTensor: none. Calls
/// the ops that the formula calls, in the modes of the running backward [tools/autograd/derivatives.yaml; the functions
/// it names are in torch/csrc/autograd/FunctionsManual.cpp]. Raises the errors of what the node saved. Throws
/// ReferenceLimit for a formula that needs an op which the table does not have.
std::vector<TensorId> formula_gradients(const Judge& judge, State& state, NodeId node,
                                        const std::vector<TensorId>& given, const std::vector<bool>& wanted);

/// A gradient in these sizes, this dtype and on this device, or else where it is: what broadcasting repeated is summed,
/// another dtype is converted [torch/csrc/autograd/engine.cpp, validate_outputs; aten/src/ATen/ExpandUtils.h, sum_to].
/// Its own sizes must have been broadcast from `sizes`.
TensorId fitted_tensor(const Judge& judge, State& state, TensorId gradient, const Sizes& sizes, Dtype dtype,
                       std::optional<Backend> device = std::nullopt);

}  // namespace plumbline::reference
