// threshold_backward and tanh_backward: the derivatives that are ops themselves.
#include <array>
#include <concepts>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/elements/elements.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"

namespace plumbline::optimized {

namespace {

/// `value(a, b)` of the elements of two tensors that broadcast, in `dtype`, which is one of those that `value` takes.
template <class Value>
Tensor computed(IntList sizes, const Tensor& first, const Tensor& second, Dtype dtype, const Value& value) {
  const Input a(first, dtype);
  const Input b(second, dtype);
  const std::array inputs{a.operand(), b.operand()};
  Tensor out = empty_strided(sizes, result_strides(sizes, inputs), dtype);
  const StridedLoop loop(sizes, std::array{Operand::of(out), inputs[0], inputs[1]});
  visit_dtype(dtype, [&]<class T>(T) {
    if constexpr (std::invocable<Value, T, T>)
      loop.run([&value](std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
          store(data[0] + i * steps[0], value(loaded<T>(data[1] + i * steps[1]), loaded<T>(data[2] + i * steps[2])));
      });
  });
  return out;
}

/// The gradient, but 0 where self is at most the threshold [aten/src/ATen/native/Activation.cpp].
Tensor threshold_backward_kernel(const Tensor& gradient, const Tensor& self, Scalar threshold) {
  const DimVector sizes = broadcast_sizes(self.sizes(), gradient.sizes());
  const Dtype dtype = result_type(gradient, self);
  if (dtype == Dtype::boolean) raise_no_kernel("threshold_cpu", dtype);
  const Scalar limit = checked_number(threshold, dtype);
  return computed(sizes, self, gradient, dtype,
                  [limit]<class T>(T at, T passed) { return at <= limit.to<T>() ? T(0) : passed; });
}

/// gradient · (1 − output²) [aten/src/ATen/native/BinaryOps.cpp].
Tensor tanh_backward_kernel(const Tensor& gradient, const Tensor& output) {
  const DimVector sizes = broadcast_sizes(gradient.sizes(), output.sizes());
  const Dtype dtype = result_type(gradient, output);
  if (!is_floating(dtype)) raise_no_kernel("tanh_backward_cpu", dtype);
  return computed(sizes, gradient, output, dtype,
                  []<std::floating_point T>(T passed, T y) { return passed * (T(1) - y * y); });
}

}  // namespace

std::span<const OpKernel> slope_kernels() {
  static const std::array kernels{
      plain_kernel<op::threshold_backward, threshold_backward_kernel>(),
      plain_kernel<op::tanh_backward, tanh_backward_kernel>(),
  };
  return kernels;
}

}  // namespace plumbline::optimized
