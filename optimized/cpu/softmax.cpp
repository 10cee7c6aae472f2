// The CPU's softmax: each row is gathered, computed, and written back.
#include "optimized/cpu/softmax.h"

#include <cstring>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/scratch.h"
#include "optimized/cpu/simd_reduce.h"
#include "optimized/elements/dtypes.h"
#include "optimized/elements/loop_nest.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

template <class T>
void softmax_along(const Tensor& self, int dim, const Tensor& out) {
  const std::int64_t n = self.dim() == 0 ? 1 : self.size(dim);
  const std::int64_t from_step = self.dim() == 0 ? 1 : self.stride(dim);
  const std::int64_t to_step = self.dim() == 0 ? 1 : out.stride(dim);
  LoopNest<2> rows(self.dim());
  for (int d = 0; d < self.dim(); ++d)
    if (d != dim) rows.add(self.size(d), {self.stride(d), out.stride(d)});
  rows.merge();
  const Scratch<T> room(to_step == 1 ? 1 : n);
  rows.for_each([&](const Steps<2>& places) {
    const T* const from = self.data<T>() + places[0];
    T* const to = out.data<T>() + places[1];
    T* const row = to_step == 1 ? to : room.data();
    if (from_step == 1) {
      std::memcpy(row, from, static_cast<std::size_t>(n) * sizeof(T));
    } else {
      for (std::int64_t i = 0; i < n; ++i) row[i] = from[i * from_step];
    }
    simd::softmax(row, n);
    if (to_step != 1)
      for (std::int64_t i = 0; i < n; ++i) to[i * to_step] = row[i];
  });
}

}  // namespace

Tensor softmax_kernel(const Tensor& self, std::int64_t dim, bool half_to_float) {
  const int at = wrapped_dim(dim, self.dim());
  if (half_to_float)
    raise_saying(ErrorClass::dtype_op, "softmax with half to float conversion is not supported on CPU");
  if (self.numel() != 0 && !is_floating(self.dtype()))
    raise_no_kernel(at + 1 >= self.dim() ? "softmax_lastdim_kernel_impl" : "softmax_kernel_impl", self.dtype());
  Tensor out = empty_tensor(self.sizes(), self.dtype());
  if (self.numel() == 0) return out;
  self.dtype() == Dtype::float32 ? softmax_along<float>(self, at, out) : softmax_along<double>(self, at, out);
  return out;
}

}  // namespace plumbline::optimized
