// The derivatives of the ops, one small function each, and which op has which [tools/autograd/derivatives.yaml].
#pragma once

#include <cstddef>

#include "optimized/autograd/recorded.h"
#include "optimized/ops.h"

namespace plumbline::optimized {

#define PLUMBLINE_KEEPS_NOTHING(Op) \
  template <>                       \
  inline constexpr Keeps kKeeps<Op> = Keeps::nothing

PLUMBLINE_KEEPS_NOTHING(op::add_Tensor);
PLUMBLINE_KEEPS_NOTHING(op::add__Tensor);
PLUMBLINE_KEEPS_NOTHING(op::sub_Tensor);
PLUMBLINE_KEEPS_NOTHING(op::sub__Tensor);
PLUMBLINE_KEEPS_NOTHING(op::mul_Tensor);
PLUMBLINE_KEEPS_NOTHING(op::mul__Tensor);
PLUMBLINE_KEEPS_NOTHING(op::div_Tensor);
PLUMBLINE_KEEPS_NOTHING(op::div__Tensor);
PLUMBLINE_KEEPS_NOTHING(op::neg);
PLUMBLINE_KEEPS_NOTHING(op::neg_);
PLUMBLINE_KEEPS_NOTHING(op::relu);
PLUMBLINE_KEEPS_NOTHING(op::relu_);
PLUMBLINE_KEEPS_NOTHING(op::exp);
PLUMBLINE_KEEPS_NOTHING(op::exp_);
PLUMBLINE_KEEPS_NOTHING(op::tanh);
PLUMBLINE_KEEPS_NOTHING(op::tanh_);
PLUMBLINE_KEEPS_NOTHING(op::threshold_backward);
PLUMBLINE_KEEPS_NOTHING(op::tanh_backward);
PLUMBLINE_KEEPS_NOTHING(op::sqrt);
PLUMBLINE_KEEPS_NOTHING(op::sqrt_);
PLUMBLINE_KEEPS_NOTHING(op::where_self);
PLUMBLINE_KEEPS_NOTHING(op::masked_fill_Scalar);
PLUMBLINE_KEEPS_NOTHING(op::masked_fill__Scalar);
PLUMBLINE_KEEPS_NOTHING(op::fill__Scalar);
PLUMBLINE_KEEPS_NOTHING(op::zero_);
PLUMBLINE_KEEPS_NOTHING(op::copy_);
PLUMBLINE_KEEPS_NOTHING(op::clone);
PLUMBLINE_KEEPS_NOTHING(op::_to_copy);
PLUMBLINE_KEEPS_NOTHING(op::dot);
PLUMBLINE_KEEPS_NOTHING(op::alias);
PLUMBLINE_KEEPS_NOTHING(op::transpose_int);
PLUMBLINE_KEEPS_NOTHING(op::transpose_);
PLUMBLINE_KEEPS_NOTHING(op::t);
PLUMBLINE_KEEPS_NOTHING(op::t_);
PLUMBLINE_KEEPS_NOTHING(op::permute);
PLUMBLINE_KEEPS_NOTHING(op::alias_copy);
PLUMBLINE_KEEPS_NOTHING(op::detach_copy);
PLUMBLINE_KEEPS_NOTHING(op::transpose_copy_int);
PLUMBLINE_KEEPS_NOTHING(op::t_copy);
PLUMBLINE_KEEPS_NOTHING(op::permute_copy);
PLUMBLINE_KEEPS_NOTHING(op::_softmax);
PLUMBLINE_KEEPS_NOTHING(op::index_fill_int_Scalar);
PLUMBLINE_KEEPS_NOTHING(op::index_fill__int_Scalar);
PLUMBLINE_KEEPS_NOTHING(op::bmm);
PLUMBLINE_KEEPS_NOTHING(op::mv);

#undef PLUMBLINE_KEEPS_NOTHING

/// The derivative of an op; a recorded op without one does not compile.
template <class Op>
inline constexpr std::nullptr_t kDerivative = nullptr;

#define PLUMBLINE_DERIVATIVE(Op, function)                                                             \
  Tensors function(const RecordedCall<Op>& call, const SavedTensors& saved, const Tensors& gradients); \
  template <>                                                                                          \
  inline constexpr auto kDerivative<Op> = function
#define PLUMBLINE_SAME_DERIVATIVE(Op, As) \
  template <>                             \
  inline constexpr auto kDerivative<Op> = kDerivative<As>

/// From the gradients of the results to those of the tensor arguments, in order; they run with grad mode off. Gradients
/// of other sizes (by broadcasting) or of another dtype are made to fit afterwards [engine.cpp]. Only the gradients
/// that `call.needs` names are computed.
PLUMBLINE_DERIVATIVE(op::add_Tensor, add_backward);
PLUMBLINE_SAME_DERIVATIVE(op::add__Tensor, op::add_Tensor);
PLUMBLINE_DERIVATIVE(op::sub_Tensor, sub_backward);
PLUMBLINE_SAME_DERIVATIVE(op::sub__Tensor, op::sub_Tensor);
PLUMBLINE_DERIVATIVE(op::mul_Tensor, mul_backward);
PLUMBLINE_SAME_DERIVATIVE(op::mul__Tensor, op::mul_Tensor);
PLUMBLINE_DERIVATIVE(op::div_Tensor, div_backward);
PLUMBLINE_SAME_DERIVATIVE(op::div__Tensor, op::div_Tensor);
PLUMBLINE_DERIVATIVE(op::neg, neg_backward);
PLUMBLINE_SAME_DERIVATIVE(op::neg_, op::neg);
PLUMBLINE_DERIVATIVE(op::relu, relu_backward);
PLUMBLINE_SAME_DERIVATIVE(op::relu_, op::relu);
PLUMBLINE_DERIVATIVE(op::exp, exp_backward);
PLUMBLINE_SAME_DERIVATIVE(op::exp_, op::exp);
PLUMBLINE_DERIVATIVE(op::tanh, gradient_of_tanh);
PLUMBLINE_SAME_DERIVATIVE(op::tanh_, op::tanh);
PLUMBLINE_DERIVATIVE(op::threshold_backward, threshold_backward_backward);
PLUMBLINE_DERIVATIVE(op::tanh_backward, tanh_backward_backward);
PLUMBLINE_DERIVATIVE(op::sqrt, sqrt_backward);
PLUMBLINE_SAME_DERIVATIVE(op::sqrt_, op::sqrt);
PLUMBLINE_DERIVATIVE(op::where_self, where_backward);
PLUMBLINE_DERIVATIVE(op::masked_fill_Scalar, masked_fill_backward);
PLUMBLINE_SAME_DERIVATIVE(op::masked_fill__Scalar, op::masked_fill_Scalar);
PLUMBLINE_DERIVATIVE(op::fill__Scalar, fill_backward);
PLUMBLINE_DERIVATIVE(op::zero_, zero_backward);
PLUMBLINE_DERIVATIVE(op::copy_, copy_backward);
PLUMBLINE_DERIVATIVE(op::clone, clone_backward);
PLUMBLINE_DERIVATIVE(op::_to_copy, to_copy_backward);

PLUMBLINE_DERIVATIVE(op::mm, mm_backward);
PLUMBLINE_DERIVATIVE(op::addmm, addmm_backward);
PLUMBLINE_DERIVATIVE(op::bmm, bmm_backward);
PLUMBLINE_DERIVATIVE(op::dot, dot_backward);
PLUMBLINE_DERIVATIVE(op::mv, mv_backward);

PLUMBLINE_DERIVATIVE(op::sum, sum_backward);
PLUMBLINE_DERIVATIVE(op::sum_dim_IntList, sum_dim_backward);
PLUMBLINE_DERIVATIVE(op::mean, mean_backward);
PLUMBLINE_DERIVATIVE(op::mean_dim, mean_dim_backward);
PLUMBLINE_DERIVATIVE(op::max, max_backward);
PLUMBLINE_DERIVATIVE(op::max_dim, max_dim_backward);
PLUMBLINE_DERIVATIVE(op::aminmax, aminmax_backward);
PLUMBLINE_DERIVATIVE(op::_softmax, softmax_backward);

PLUMBLINE_DERIVATIVE(op::index_select, index_select_backward);
PLUMBLINE_DERIVATIVE(op::gather, gather_backward);
PLUMBLINE_DERIVATIVE(op::index_fill_int_Scalar, index_fill_backward);
PLUMBLINE_SAME_DERIVATIVE(op::index_fill__int_Scalar, op::index_fill_int_Scalar);
PLUMBLINE_DERIVATIVE(op::cat, cat_backward);
PLUMBLINE_DERIVATIVE(op::stack, stack_backward);
PLUMBLINE_DERIVATIVE(op::split_Tensor, split_backward);
PLUMBLINE_SAME_DERIVATIVE(op::unsafe_split_Tensor, op::split_Tensor);
PLUMBLINE_DERIVATIVE(op::split_with_sizes, split_with_sizes_backward);
PLUMBLINE_DERIVATIVE(op::unbind_int, unbind_backward);

PLUMBLINE_DERIVATIVE(op::view, view_backward);
PLUMBLINE_SAME_DERIVATIVE(op::_unsafe_view, op::view);
PLUMBLINE_DERIVATIVE(op::alias, alias_backward);
PLUMBLINE_DERIVATIVE(op::select_int, select_backward);
PLUMBLINE_DERIVATIVE(op::slice_Tensor, slice_backward);
PLUMBLINE_DERIVATIVE(op::transpose_int, transpose_backward);
PLUMBLINE_SAME_DERIVATIVE(op::transpose_, op::transpose_int);
PLUMBLINE_DERIVATIVE(op::t, t_backward);
PLUMBLINE_SAME_DERIVATIVE(op::t_, op::t);
PLUMBLINE_DERIVATIVE(op::permute, permute_backward);
PLUMBLINE_DERIVATIVE(op::expand, expand_backward);
PLUMBLINE_DERIVATIVE(op::squeeze, squeeze_backward);
PLUMBLINE_SAME_DERIVATIVE(op::squeeze_, op::squeeze);
PLUMBLINE_DERIVATIVE(op::squeeze_dim, squeeze_dim_backward);
PLUMBLINE_SAME_DERIVATIVE(op::squeeze__dim, op::squeeze_dim);
PLUMBLINE_DERIVATIVE(op::unsqueeze, unsqueeze_backward);
PLUMBLINE_SAME_DERIVATIVE(op::unsqueeze_, op::unsqueeze);
PLUMBLINE_DERIVATIVE(op::diagonal, diagonal_backward);
PLUMBLINE_DERIVATIVE(op::unfold, unfold_backward);
PLUMBLINE_DERIVATIVE(op::as_strided, as_strided_backward);
PLUMBLINE_SAME_DERIVATIVE(op::as_strided_, op::as_strided);

PLUMBLINE_SAME_DERIVATIVE(op::alias_copy, op::alias);
PLUMBLINE_SAME_DERIVATIVE(op::as_strided_copy, op::as_strided);
PLUMBLINE_SAME_DERIVATIVE(op::diagonal_copy, op::diagonal);
PLUMBLINE_SAME_DERIVATIVE(op::expand_copy, op::expand);
PLUMBLINE_SAME_DERIVATIVE(op::permute_copy, op::permute);
PLUMBLINE_SAME_DERIVATIVE(op::select_copy_int, op::select_int);
PLUMBLINE_SAME_DERIVATIVE(op::slice_copy_Tensor, op::slice_Tensor);
PLUMBLINE_SAME_DERIVATIVE(op::split_copy_Tensor, op::split_Tensor);
PLUMBLINE_SAME_DERIVATIVE(op::split_with_sizes_copy, op::split_with_sizes);
PLUMBLINE_SAME_DERIVATIVE(op::squeeze_copy, op::squeeze);
PLUMBLINE_SAME_DERIVATIVE(op::squeeze_copy_dim, op::squeeze_dim);
PLUMBLINE_SAME_DERIVATIVE(op::t_copy, op::t);
PLUMBLINE_SAME_DERIVATIVE(op::transpose_copy_int, op::transpose_int);
PLUMBLINE_SAME_DERIVATIVE(op::unbind_copy_int, op::unbind_int);
PLUMBLINE_SAME_DERIVATIVE(op::unfold_copy, op::unfold);
PLUMBLINE_SAME_DERIVATIVE(op::unsqueeze_copy, op::unsqueeze);
PLUMBLINE_SAME_DERIVATIVE(op::view_copy, op::view);
PLUMBLINE_DERIVATIVE(op::as_strided_scatter, as_strided_scatter_backward);
PLUMBLINE_DERIVATIVE(op::diagonal_scatter, diagonal_scatter_backward);
PLUMBLINE_DERIVATIVE(op::select_scatter, select_scatter_backward);
PLUMBLINE_DERIVATIVE(op::slice_scatter, slice_scatter_backward);

/// Each raises no_derivative.
PLUMBLINE_DERIVATIVE(op::detach_copy, detach_copy_backward);
PLUMBLINE_DERIVATIVE(op::set__source_Tensor, set_backward);

#undef PLUMBLINE_DERIVATIVE
#undef PLUMBLINE_SAME_DERIVATIVE

}  // namespace plumbline::optimized
