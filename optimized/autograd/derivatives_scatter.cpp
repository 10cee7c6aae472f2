// The derivatives of the *_scatter ops: the replaced part gets its gradient only through src.
#include <algorithm>
#include <cstdint>

#include "optimized/autograd/derivatives.h"
#include "optimized/autograd/strided.h"
#include "optimized/cpu/checks.h"

namespace plumbline::optimized {

namespace {

/// `part(whole)`: the replaced part; `without(gradient, zeros)`: the gradient with zeros there, by one op.
template <class Call, class Part, class Without>
Tensors scatter_gradients(const Call& call, const Tensor& gradient, const Part& part, const Without& without) {
  Tensors to(2);
  if (call.needs(0) && thread_state().grad_mode) {
    to[0] = without(gradient, zeros(call.template sizes<1>(), gradient.dtype()));
  } else if (call.needs(0)) {
    to[0] = clone(gradient);
    zero_(part(to[0]));
  }
  if (call.needs(1)) to[1] = part(gradient);
  return to;
}

/// Whether a window sees the same elements in a row-major tensor of its own as in the layout.
bool sees_same(const Layout& self, const Layout& window) {
  std::int64_t stride = 1;
  bool row_major = self.offset == 0;
  for (std::size_t d = self.sizes.size(); d-- > 0;) {
    row_major = row_major && (self.sizes[d] == 1 || self.strides[d] == stride);
    stride *= std::max<std::int64_t>(self.sizes[d], 1);
  }
  return row_major && window.offset + extent(window) <= numel_of(self.sizes);
}

}  // namespace

Tensors diagonal_scatter_backward(const RecordedCall<op::diagonal_scatter>& call, const SavedTensors&,
                                  const Tensors& gradients) {
  return scatter_gradients(
      call, gradients[0],
      [&](const Tensor& whole) { return diagonal(whole, call.value<2>(), call.value<3>(), call.value<4>()); },
      [&](const Tensor& gradient, const Tensor& none) {
        return diagonal_scatter(gradient, none, call.value<2>(), call.value<3>(), call.value<4>());
      });
}

Tensors select_scatter_backward(const RecordedCall<op::select_scatter>& call, const SavedTensors&,
                                const Tensors& gradients) {
  return scatter_gradients(
      call, gradients[0], [&](const Tensor& whole) { return select(whole, call.value<2>(), call.value<3>()); },
      [&](const Tensor& gradient, const Tensor& none) {
        return select_scatter(gradient, none, call.value<2>(), call.value<3>());
      });
}

Tensors slice_scatter_backward(const RecordedCall<op::slice_scatter>& call, const SavedTensors&,
                               const Tensors& gradients) {
  return scatter_gradients(
      call, gradients[0],
      [&](const Tensor& whole) {
        return slice(whole, call.value<2>(), call.value<3>(), call.value<4>(), call.value<5>());
      },
      [&](const Tensor& gradient, const Tensor& none) {
        return slice_scatter(gradient, none, call.value<2>(), call.value<3>(), call.value<4>(), call.value<5>());
      });
}

/// The window lies in memory as in the copy of the first argument [cpu/scatters.cpp, copy_of_all], and so does its
/// gradient.
Tensors as_strided_scatter_backward(const RecordedCall<op::as_strided_scatter>& call, const SavedTensors&,
                                    const Tensors& gradients) {
  Layout self = call.argument<0>().layout;
  if (repeats_elements(self.sizes, self.strides)) self = {self.sizes, dense_strides(self.sizes, self.strides), 0};
  const Layout window{call.value<2>(), call.value<3>(), call.value<4>().value_or(self.offset)};
  if (!call.needs(0) && sees_same(self, window)) {
    Tensors to(2);
    to[1] = as_strided(contiguous(gradients[0]), window.sizes, window.strides, window.offset);
    return to;
  }
  if (thread_state().grad_mode) raise_unrecordable("aten::as_strided_scatter");
  const SharedMemory memory = shared_memory(self, window, gradients[0].dtype());
  const Tensor whole = as_strided(memory.zeros, self.sizes, self.strides, memory.first);
  copy_(whole, gradients[0]);
  const Tensor part = as_strided(memory.zeros, window.sizes, window.strides, memory.second);
  Tensors to(2);
  if (call.needs(1)) to[1] = clone(part);
  if (call.needs(0)) {
    zero_(part);
    to[0] = whole;
  }
  return to;
}

}  // namespace plumbline::optimized
