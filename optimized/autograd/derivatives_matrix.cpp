// The derivatives of products of matrices and vectors.
#include "optimized/autograd/derivatives.h"
#include "optimized/autograd/gradients.h"

namespace plumbline::optimized {

namespace {

/// A factor's gradient has the layout of the factor: a column-major one is the transpose of a row-major one, computed
/// as the transpose of the reversed product [torch/csrc/autograd/FunctionsManual.cpp, mm_mat1_backward].
bool is_by_columns(const Layout& matrix) { return matrix.strides[0] == 1 && matrix.strides[1] == matrix.sizes[0]; }

Tensor first_factor_gradient(const Tensor& gradient, const Layout& first, const Tensor& second, Scalar alpha) {
  return scaled(is_by_columns(first) ? t(mm(second, t(gradient))) : mm(gradient, t(second)), alpha);
}
Tensor second_factor_gradient(const Tensor& gradient, const Tensor& first, const Layout& second, Scalar alpha) {
  return scaled(is_by_columns(second) ? t(mm(t(gradient), first)) : mm(t(first), gradient), alpha);
}

}  // namespace

Tensors mm_backward(const RecordedCall<op::mm>& call, const SavedTensors& saved, const Tensors& gradients) {
  Tensors to(2);
  if (call.needs(0)) to[0] = first_factor_gradient(gradients[0], call.argument<0>().layout, saved.argument[1], 1);
  if (call.needs(1)) to[1] = second_factor_gradient(gradients[0], saved.argument[0], call.argument<1>().layout, 1);
  return to;
}

Tensors addmm_backward(const RecordedCall<op::addmm>& call, const SavedTensors& saved, const Tensors& gradients) {
  const Scalar alpha = call.value<4>();
  Tensors to(3);
  if (call.needs(0)) to[0] = scaled(gradients[0], call.value<3>());
  if (call.needs(1)) to[1] = first_factor_gradient(gradients[0], call.argument<1>().layout, saved.argument[2], alpha);
  if (call.needs(2)) to[2] = second_factor_gradient(gradients[0], saved.argument[1], call.argument<2>().layout, alpha);
  return to;
}

Tensors bmm_backward(const RecordedCall<op::bmm>& call, const SavedTensors& saved, const Tensors& gradients) {
  Tensors to(2);
  if (call.needs(0)) to[0] = bmm(gradients[0], transpose(saved.argument[1], 1, 2));
  if (call.needs(1)) to[1] = bmm(transpose(saved.argument[0], 1, 2), gradients[0]);
  return to;
}

Tensors dot_backward(const RecordedCall<op::dot>& call, const SavedTensors& saved, const Tensors& gradients) {
  Tensors to(2);
  if (call.needs(0)) to[0] = mul(gradients[0], saved.argument[1]);
  if (call.needs(1)) to[1] = mul(gradients[0], saved.argument[0]);
  return to;
}

Tensors mv_backward(const RecordedCall<op::mv>& call, const SavedTensors& saved, const Tensors& gradients) {
  Tensors to(2);
  if (call.needs(0)) to[0] = mul(unsqueeze(gradients[0], 1), unsqueeze(saved.argument[1], 0));
  if (call.needs(1)) to[1] = mv(t(saved.argument[0]), gradients[0]);
  return to;
}

}  // namespace plumbline::optimized
