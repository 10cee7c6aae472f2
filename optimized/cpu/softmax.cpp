// The CPU's softmax: each row is gathered, computed, and written back.
#include "optimized/cpu/softmax.h"

#include <cstring>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/scratch.h"
#include "optimized/cpu/simd_reduce.h"
#include "optimized/elements/dtypes.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

template <class T>
void softmax_along(const RowLoops& loops, const Operand& from, const Operand& to) {
  const std::int64_t n = loops.n;
  const Scratch<T> room(loops.to_step == 1 ? 1 : n);
  loops.rows.for_each([&](const Steps<2>& places) {
    const T* const in = reinterpret_cast<const T*>(from.data) + places[0];
    T* const out = reinterpret_cast<T*>(to.data) + places[1];
    T* const row = loops.to_step == 1 ? out : room.data();
    if (loops.from_step == 1) {
      std::memcpy(row, in, static_cast<std::size_t>(n) * sizeof(T));
    } else {
      for (std::int64_t i = 0; i < n; ++i) row[i] = in[i * loops.from_step];
    }
    simd::softmax(row, n);
    if (loops.to_step != 1)
      for (std::int64_t i = 0; i < n; ++i) out[i * loops.to_step] = row[i];
  });
}

/// Rows along `dim` of a tensor and of a result of the same sizes.
RowLoops rows_along(const Tensor& self, int dim, const Tensor& out) {
  RowLoops loops{LoopNest<2>(self.dim())};
  if (self.dim() == 0) return loops;
  loops.n = self.size(dim);
  loops.from_step = self.stride(dim);
  loops.to_step = out.stride(dim);
  for (int d = 0; d < self.dim(); ++d)
    if (d != dim) loops.rows.add(self.size(d), {self.stride(d), out.stride(d)});
  loops.rows.merge();
  return loops;
}

}  // namespace

void cpu::softmax(const RowLoops& loops, const Operand& from, const Operand& to) {
  from.dtype == Dtype::float32 ? softmax_along<float>(loops, from, to) : softmax_along<double>(loops, from, to);
}

Tensor softmax_kernel(const Tensor& self, std::int64_t dim, bool half_to_float) {
  const int at = wrapped_dim(dim, self.dim());
  if (half_to_float)
    raise_saying(ErrorClass::dtype_op, "softmax with half to float conversion is not supported on CPU");
  if (self.numel() != 0 && !is_floating(self.dtype()))
    raise_no_kernel(at + 1 >= self.dim() ? "softmax_lastdim_kernel_impl" : "softmax_kernel_impl", self.dtype());
  Tensor out = empty_tensor(self.sizes(), self.dtype());
  if (self.numel() == 0) return out;
  primitives().softmax(rows_along(self, at, out), Operand::of(self), Operand::of(out));
  return out;
}

}  // namespace plumbline::optimized
