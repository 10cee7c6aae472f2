// The derivatives of view ops, and of their in-place forms.
#include "optimized/autograd/derivatives.h"
#include "optimized/autograd/gradients.h"
#include "optimized/autograd/strided.h"
#include "optimized/cpu/checks.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// Zeros of `sizes`, in which the part that `part` sees is `gradient`; `with(zeros, gradient)`: the same by one op, for
/// autograd to record.
template <class Part, class With>
Tensor zeros_but(IntList sizes, const Tensor& gradient, const Part& part, const With& with) {
  Tensor whole = zeros(sizes, gradient.dtype());
  if (thread_state().grad_mode) return with(whole, gradient);
  copy_(part(whole), gradient);
  return whole;
}

}  // namespace

Tensors view_backward(const RecordedCall<op::view>& call, const SavedTensors&, const Tensors& gradients) {
  return {reshape(gradients[0], call.sizes<0>())};
}

Tensors alias_backward(const RecordedCall<op::alias>&, const SavedTensors&, const Tensors& gradients) {
  return {gradients[0]};
}

Tensors select_backward(const RecordedCall<op::select_int>& call, const SavedTensors&, const Tensors& gradients) {
  return {zeros_but(
      call.sizes<0>(), gradients[0],
      [&](const Tensor& whole) { return select(whole, call.value<1>(), call.value<2>()); },
      [&](const Tensor& whole, const Tensor& part) {
        return select_scatter(whole, part, call.value<1>(), call.value<2>());
      })};
}

Tensors slice_backward(const RecordedCall<op::slice_Tensor>& call, const SavedTensors&, const Tensors& gradients) {
  return {zeros_but(
      call.sizes<0>(), gradients[0],
      [&](const Tensor& whole) {
        return slice(whole, call.value<1>(), call.value<2>(), call.value<3>(), call.value<4>());
      },
      [&](const Tensor& whole, const Tensor& part) {
        return slice_scatter(whole, part, call.value<1>(), call.value<2>(), call.value<3>(), call.value<4>());
      })};
}

Tensors transpose_backward(const RecordedCall<op::transpose_int>& call, const SavedTensors&, const Tensors& gradients) {
  return {transpose(gradients[0], call.value<1>(), call.value<2>())};
}

Tensors t_backward(const RecordedCall<op::t>&, const SavedTensors&, const Tensors& gradients) {
  return {t(gradients[0])};
}

Tensors permute_backward(const RecordedCall<op::permute>& call, const SavedTensors&, const Tensors& gradients) {
  const DimVector& dims = call.value<1>();
  const int rank = static_cast<int>(dims.size());
  DimVector back(dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d)
    back[static_cast<std::size_t>(wrapped_dim(dims[d], rank))] = static_cast<std::int64_t>(d);
  return {permute(gradients[0], back)};
}

Tensors expand_backward(const RecordedCall<op::expand>& call, const SavedTensors&, const Tensors& gradients) {
  if (call.sizes<0>().empty()) return {sum(gradients[0])};  // new also if nothing was repeated [ExpandUtils.h, sum_to]
  return {sum_to_sizes(gradients[0], call.sizes<0>())};
}

Tensors squeeze_backward(const RecordedCall<op::squeeze>& call, const SavedTensors&, const Tensors& gradients) {
  // If nothing was squeezed, the gradient itself [FunctionsManual.cpp, unsqueeze_to].
  Tensor gradient = gradients[0];
  const auto& sizes = call.sizes<0>();
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 1) gradient = unsqueeze(gradient, static_cast<std::int64_t>(d));
  return {gradient};
}

Tensors squeeze_dim_backward(const RecordedCall<op::squeeze_dim>& call, const SavedTensors&, const Tensors& gradients) {
  const auto& sizes = call.sizes<0>();
  if (sizes.empty()) return {gradients[0]};
  const int dim = wrapped_dim(call.value<1>(), static_cast<int>(sizes.size()));
  return {sizes[static_cast<std::size_t>(dim)] == 1 ? unsqueeze(gradients[0], dim) : gradients[0]};
}

Tensors unsqueeze_backward(const RecordedCall<op::unsqueeze>& call, const SavedTensors&, const Tensors& gradients) {
  return {squeeze(gradients[0], call.value<1>())};
}

Tensors diagonal_backward(const RecordedCall<op::diagonal>& call, const SavedTensors&, const Tensors& gradients) {
  return {zeros_but(
      call.sizes<0>(), gradients[0],
      [&](const Tensor& whole) { return diagonal(whole, call.value<1>(), call.value<2>(), call.value<3>()); },
      [&](const Tensor& whole, const Tensor& part) {
        return diagonal_scatter(whole, part, call.value<1>(), call.value<2>(), call.value<3>());
      })};
}

Tensors unfold_backward(const RecordedCall<op::unfold>& call, const SavedTensors&, const Tensors& gradients) {
  // Windows may overlap: each element gets the sum over its windows.
  Tensor whole = zeros(call.sizes<0>(), gradients[0].dtype());
  const Tensor windows = unfold(whole, call.value<1>(), call.value<2>(), call.value<3>());
  add_at(whole, Layout::of(windows), gradients[0]);
  return {whole};
}

Tensors as_strided_backward(const RecordedCall<op::as_strided>& call, const SavedTensors&, const Tensors& gradients) {
  const Layout& input = call.argument<0>().layout;
  return {as_strided_gradient(gradients[0], input,
                              {call.value<1>(), call.value<2>(), call.value<3>().value_or(input.offset)})};
}

Tensors detach_copy_backward(const RecordedCall<op::detach_copy>&, const SavedTensors&, const Tensors&) {
  raise(ErrorClass::no_derivative, {"aten::detach_copy"});
}

Tensors set_backward(const RecordedCall<op::set__source_Tensor>&, const SavedTensors&, const Tensors&) {
  raise(ErrorClass::no_derivative, {"aten::set_"});
}

}  // namespace plumbline::optimized
