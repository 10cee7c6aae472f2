// The derivatives of reductions.
#include <algorithm>

#include "optimized/autograd/derivatives.h"
#include "optimized/autograd/gradients.h"
#include "optimized/autograd/scatter.h"
#include "optimized/cpu/checks.h"
#include "optimized/elements/read.h"

namespace plumbline::optimized {

namespace {

using Dims = std::optional<DimVector>;

bool is_of_all(const Dims& dims) { return !dims || dims->size() == 0; }

/// The gradient of a sum over dimensions, for the elements that were summed.
Tensor spread(const Tensor& gradient, IntList sizes, const Dims& dims, bool keepdim) {
  if (keepdim || sizes.empty() || is_of_all(dims)) return expand(gradient, sizes);
  const int rank = static_cast<int>(sizes.size());
  DimVector wrapped(*dims);
  for (std::int64_t& dim : wrapped) dim = wrapped_dim(dim, rank);
  std::ranges::sort(wrapped);
  Tensor full = gradient;
  for (const std::int64_t dim : wrapped) full = unsqueeze(full, dim);
  return expand(full, sizes);
}

std::int64_t elements_of(IntList sizes, const Dims& dims) {
  std::int64_t count = 1;
  if (is_of_all(dims)) {
    for (const std::int64_t size : sizes) count *= size;
  } else if (!sizes.empty()) {
    for (const std::int64_t dim : *dims)
      count *= sizes[static_cast<std::size_t>(wrapped_dim(dim, static_cast<int>(sizes.size())))];
  }
  return count;
}

bool is_nan(const Tensor& one) {
  if (one.numel() != 1) return false;
  const Scalar value = only_element(one);
  return value.is_real() && value.real() != value.real();  // NOLINT(misc-redundant-expression): not-a-number alone
}

}  // namespace

Tensors sum_backward(const RecordedCall<op::sum>& call, const SavedTensors&, const Tensors& gradients) {
  return {expand(gradients[0], call.sizes<0>())};
}

Tensors sum_dim_backward(const RecordedCall<op::sum_dim_IntList>& call, const SavedTensors&, const Tensors& gradients) {
  return {spread(gradients[0], call.sizes<0>(), call.value<1>(), call.value<2>())};
}

Tensors mean_backward(const RecordedCall<op::mean>& call, const SavedTensors&, const Tensors& gradients) {
  return {div(expand(gradients[0], call.sizes<0>()), number(elements_of(call.sizes<0>(), std::nullopt)))};
}

Tensors mean_dim_backward(const RecordedCall<op::mean_dim>& call, const SavedTensors&, const Tensors& gradients) {
  return {div(spread(gradients[0], call.sizes<0>(), call.value<1>(), call.value<2>()),
              number(elements_of(call.sizes<0>(), call.value<1>())))};
}

Tensors max_backward(const RecordedCall<op::max>&, const SavedTensors& saved, const Tensors& gradients) {
  const Tensor& self = saved.argument[0];
  const Tensor& greatest = saved.result[0];
  const Tensor is_number = eq(self, self);
  const Tensor is_greatest = is_nan(greatest) ? eq(is_number, false) : eq(self, greatest);
  return {where(is_greatest, div(gradients[0], sum(is_greatest)), number(0))};
}

Tensors max_dim_backward(const RecordedCall<op::max_dim>& call, const SavedTensors& saved, const Tensors& gradients) {
  const bool dropped = !call.value<2>() && !call.sizes<0>().empty();
  const std::int64_t dim = call.value<1>();
  const Tensor index = dropped ? unsqueeze(saved.result[1], dim) : saved.result[1];
  return {scatter_add(call.sizes<0>(), dim, index, dropped ? unsqueeze(gradients[0], dim) : gradients[0])};
}

Tensors aminmax_backward(const RecordedCall<op::aminmax>& call, const SavedTensors& saved, const Tensors& gradients) {
  const Tensor& self = saved.argument[0];
  const auto& dim = call.value<1>();
  const bool dropped = dim && !call.value<2>() && self.dim() != 0;
  const auto restored = [&](const Tensor& tensor) { return dropped ? unsqueeze(tensor, *dim) : tensor; };
  Tensor to;
  for (const std::size_t i : {0, 1}) {
    if (!gradients[i].defined()) continue;
    const Tensor is_extreme = eq(self, restored(saved.result.at(i)));
    const Tensor count = dim ? sum(is_extreme, IntList{*dim}, true) : sum(is_extreme);
    const Tensor share = div(mul(restored(gradients[i]), is_extreme), count);
    to = to.defined() ? add(to, share) : share;
  }
  return {to};
}

Tensors softmax_backward(const RecordedCall<op::_softmax>& call, const SavedTensors& saved, const Tensors& gradients) {
  const Tensor& result = saved.result[0];
  const Tensor weighed = sum(mul(gradients[0], result), IntList{call.value<1>()}, true);
  return {mul(sub(gradients[0], weighed), result)};
}

}  // namespace plumbline::optimized
