// The derivatives of PyTorch that pass their gradient on as the same tensor or a view of it (AUT-50, AUT-60).
#pragma once

#include <optional>

#include "reference/graph.h"

namespace plumbline::reference {

/// The gradient of input `input` of an op's node whose only output has the gradient `gradient`, if PyTorch's formula
/// returns that tensor itself or a view of it; nothing if it computes a new tensor. Views are made by the ops that the
/// formula calls, in the modes of the running backward [tools/autograd/derivatives.yaml; the functions
/// it names are in torch/csrc/autograd/FunctionsManual.cpp].
std::optional<TensorId> passed_gradient(const Judge& judge, State& state, const Node& node, std::size_t input,
                                        TensorId gradient);

/// Whether a Scalar argument is 1, so that a formula leaves the multiplication out [FunctionsManual.cpp,
/// maybe_multiply].
bool is_one(const Value& factor);

/// The strides of the new tensor that PyTorch's formula computes for input `input` of an op's node, if the formula
/// alone decides them; empty: row-major. The gradient of a factor of mm or addmm that is stored by columns is stored by
/// columns too [torch/csrc/autograd/FunctionsManual.cpp, mm_mat1_backward, mm_mat2_backward].
std::optional<Sizes> computed_strides(const Node& node, std::size_t input);

/// Whether the formula multiplies what mm computes by a factor `alpha` that is not 1, which makes a new tensor of it.
bool is_scaled(const Node& node);

/// The places that the window of an as_strided_scatter sees, from the first argument's first element if no offset is
/// given.
std::vector<std::int64_t> scatter_window(const Node& node);

/// Whether broadcasting gave an input of the node more dimensions, so that backward sums its gradient and returns a
/// view of the sum; without dimensions of its own it gets the sum itself [aten/src/ATen/ExpandUtils.h, sum_to].
bool adds_dimensions(const Node& node, std::size_t input);

/// Whether a gradient with these strides may be stored as the leaf's `.grad` as it is
/// [torch/csrc/autograd/utils/grad_layout_contract.h, obeys_layout_contract].
bool obeys_layout_contract(const Geometry& gradient, const Geometry& leaf);

}  // namespace plumbline::reference
