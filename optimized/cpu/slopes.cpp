// threshold_backward and tanh_backward: the derivatives that are ops themselves.
#include <array>
#include <concepts>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
#include "optimized/elements/elements.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"

namespace plumbline::optimized {

namespace {

/// Of the elements of two tensors that broadcast to `sizes`, in `dtype`.
Tensor computed(Slope slope, IntList sizes, const Tensor& first, const Tensor& second, Dtype dtype, Scalar limit) {
  const Input a(first, dtype);
  const Input b(second, dtype);
  Tensor out = empty_strided(sizes, result_strides(sizes, std::array{a.laid_out(), b.laid_out()}), dtype);
  primitives().slope(slope, sizes, Operand::of(out), a.operand(), b.operand(), dtype, limit);
  return out;
}

template <Slope kSlope>
void run(const StridedLoop& loop, Dtype dtype, Scalar limit) {
  visit_dtype(dtype, [&]<class T>(T) {
    if constexpr (std::floating_point<T> || (kSlope == Slope::threshold && !std::same_as<T, bool>))
      loop.run([most = limit.to<T>()](std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
          store(data[0] + i * steps[0],
                slope_at<kSlope>(loaded<T>(data[1] + i * steps[1]), loaded<T>(data[2] + i * steps[2]), most));
      });
  });
}

Tensor threshold_backward_kernel(const Tensor& gradient, const Tensor& self, Scalar threshold) {
  const DimVector sizes = broadcast_sizes(self.sizes(), gradient.sizes());
  const Dtype dtype = result_type(gradient, self);
  if (dtype == Dtype::boolean) raise_no_kernel("threshold_cpu", dtype);
  return computed(Slope::threshold, sizes, self, gradient, dtype, checked_number(threshold, dtype));
}

Tensor tanh_backward_kernel(const Tensor& gradient, const Tensor& output) {
  const DimVector sizes = broadcast_sizes(gradient.sizes(), output.sizes());
  const Dtype dtype = result_type(gradient, output);
  if (!is_floating(dtype)) raise_no_kernel("tanh_backward_cpu", dtype);
  return computed(Slope::tanh, sizes, gradient, output, dtype, 0);
}

}  // namespace

void cpu::slope(Slope slope, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
                Scalar limit) {
  const StridedLoop loop(sizes, std::array{out, a, b});
  slope == Slope::threshold ? run<Slope::threshold>(loop, dtype, limit) : run<Slope::tanh>(loop, dtype, limit);
}

std::span<const OpKernel> slope_kernels() {
  static const std::array kernels{
      plain_kernel<op::threshold_backward, threshold_backward_kernel>(),
      plain_kernel<op::tanh_backward, tanh_backward_kernel>(),
  };
  return kernels;
}

}  // namespace plumbline::optimized
