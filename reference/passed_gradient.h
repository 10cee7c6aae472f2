// What PyTorch's derivatives hand on as a tensor: the gradient that they were given, or a view of it (AUT-50, AUT-60).
#pragma once

#include <optional>

#include "reference/graph.h"

namespace plumbline::reference {

/// The gradient of input `input` of a node of an op whose one output has the gradient `gradient`, where PyTorch's
/// formula gives that tensor itself or a view of it; nothing where it computes another one. Views are made by the ops
/// that the formula calls, in the modes of the backward that is running [tools/autograd/derivatives.yaml; the functions
/// it names are in torch/csrc/autograd/FunctionsManual.cpp].
std::optional<TensorId> passed_gradient(const Judge& judge, State& state, const Node& node, std::size_t input,
                                        TensorId gradient);

/// Whether a gradient of these strides may become the leaf's `.grad` as it is
/// [torch/csrc/autograd/utils/grad_layout_contract.h, obeys_layout_contract].
bool obeys_layout_contract(const Geometry& gradient, const Geometry& leaf);

}  // namespace plumbline::reference
