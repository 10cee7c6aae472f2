// The derivatives of pointwise ops, of fills and of copies.
#include "optimized/autograd/derivatives.h"
#include "optimized/autograd/gradients.h"

namespace plumbline::optimized {

Tensors add_backward(const RecordedCall<op::add_Tensor>& call, const SavedTensors&, const Tensors& gradients) {
  Tensors to{gradients[0], {}};
  if (call.needs(1)) to[1] = scaled(gradients[0], call.value<2>());
  return to;
}

Tensors sub_backward(const RecordedCall<op::sub_Tensor>& call, const SavedTensors&, const Tensors& gradients) {
  Tensors to{gradients[0], {}};
  if (call.needs(1)) to[1] = scaled(neg(gradients[0]), call.value<2>());
  return to;
}

Tensors mul_backward(const RecordedCall<op::mul_Tensor>& call, const SavedTensors& saved, const Tensors& gradients) {
  Tensors to(2);
  if (call.needs(0)) to[0] = mul(gradients[0], saved.argument[1]);
  if (call.needs(1)) to[1] = mul(gradients[0], saved.argument[0]);
  return to;
}

Tensors div_backward(const RecordedCall<op::div_Tensor>& call, const SavedTensors& saved, const Tensors& gradients) {
  const auto& [self, other, unused, none] = saved.argument;
  Tensors to(2);
  if (call.needs(0)) to[0] = div(gradients[0], other);
  if (call.needs(1)) to[1] = mul(neg(gradients[0]), div(div(self, other), other));
  return to;
}

Tensors neg_backward(const RecordedCall<op::neg>&, const SavedTensors&, const Tensors& gradients) {
  return {neg(gradients[0])};
}

Tensors relu_backward(const RecordedCall<op::relu>&, const SavedTensors& saved, const Tensors& gradients) {
  return {threshold_backward(gradients[0], saved.result[0], 0)};
}

Tensors exp_backward(const RecordedCall<op::exp>&, const SavedTensors& saved, const Tensors& gradients) {
  return {mul(gradients[0], saved.result[0])};
}

Tensors gradient_of_tanh(const RecordedCall<op::tanh>&, const SavedTensors& saved, const Tensors& gradients) {
  return {tanh_backward(gradients[0], saved.result[0])};
}

Tensors threshold_backward_backward(const RecordedCall<op::threshold_backward>& call, const SavedTensors& saved,
                                    const Tensors& gradients) {
  Tensors to(2);
  if (call.needs(0)) to[0] = threshold_backward(gradients[0], saved.argument[1], call.value<2>());
  if (call.needs(1)) to[1] = zeros_like(gradients[0]);
  return to;
}

Tensors tanh_backward_backward(const RecordedCall<op::tanh_backward>& call, const SavedTensors& saved,
                               const Tensors& gradients) {
  Tensors to(2);
  if (call.needs(0)) to[0] = tanh_backward(gradients[0], saved.argument[1]);
  if (call.needs(1)) to[1] = mul(gradients[0], mul(mul(saved.argument[1], number(-2)), saved.argument[0]));
  return to;
}

Tensors sqrt_backward(const RecordedCall<op::sqrt>&, const SavedTensors& saved, const Tensors& gradients) {
  return {div(gradients[0], mul(saved.result[0], number(2)))};
}

Tensors where_backward(const RecordedCall<op::where_self>& call, const SavedTensors& saved, const Tensors& gradients) {
  const Tensor& condition = saved.argument[0];
  Tensors to(2);
  if (call.needs(0)) to[0] = where(condition, gradients[0], number(0));
  if (call.needs(1)) to[1] = where(condition, number(0), gradients[0]);
  return to;
}

Tensors masked_fill_backward(const RecordedCall<op::masked_fill_Scalar>&, const SavedTensors& saved,
                             const Tensors& gradients) {
  return {masked_fill(gradients[0], saved.argument[1], 0)};
}

Tensors fill_backward(const RecordedCall<op::fill__Scalar>&, const SavedTensors&, const Tensors& gradients) {
  return {zeros_like(gradients[0])};
}

Tensors zero_backward(const RecordedCall<op::zero_>&, const SavedTensors&, const Tensors& gradients) {
  return {zeros_like(gradients[0])};
}

Tensors copy_backward(const RecordedCall<op::copy_>& call, const SavedTensors&, const Tensors& gradients) {
  Tensors to{{}, gradients[0]};
  if (call.needs(0)) to[0] = zeros_like(gradients[0]);
  return to;
}

Tensors clone_backward(const RecordedCall<op::clone>&, const SavedTensors&, const Tensors& gradients) {
  return {gradients[0]};
}

Tensors to_copy_backward(const RecordedCall<op::_to_copy>&, const SavedTensors&, const Tensors& gradients) {
  return {gradients[0]};
}

}  // namespace plumbline::optimized
