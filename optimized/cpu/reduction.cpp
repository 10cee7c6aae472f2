// The CPU's sums and means.
#include <array>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/fast.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/reduce.h"
#include "optimized/cpu/reduction_plan.h"
#include "optimized/cpu/softmax.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// The sum of bools or of integers is an int64.
Dtype sum_dtype(const Tensor& self, const std::optional<Dtype>& asked) {
  if (asked) return *asked;
  return is_floating(self.dtype()) ? self.dtype() : Dtype::int64;
}

/// Whether integers are added unchanged, and may wrap.
bool adds_as_it_is(Dtype from, Dtype to) { return from == to || (to == Dtype::int64 && !is_floating(from)); }

/// The result for a sum: the sum itself, or the mean.
enum class Share : bool { whole, mean };

/// Adds up `self`, whose elements count as `dtype`, that of `out`, into `out`.
void add_up(const Tensor& given, const ReducedDims& dims, bool keepdim, Share share, const Tensor& out) {
  const bool as_it_is = adds_as_it_is(given.dtype(), out.dtype());
  const Tensor self = as_it_is ? given : converted_tensor(given, out.dtype());
  primitives().sum(ReductionPlan(self, dims, keepdim, out.strides()), Operand::of(self), Operand::of(out),
                   share == Share::mean);
}

Tensor sum_of(const Tensor& self, const std::optional<IntList>& dim, bool keepdim, Dtype dtype, Share share) {
  const ReducedDims dims = reduced_dims(self, dim);
  Tensor out = empty_tensor(reduced_sizes(self, dims, keepdim), dtype);
  add_up(self, dims, keepdim, share, out);
  return out;
}

/// Whether all floats of `self` are added at once, in a row.
bool is_float_row(const Tensor& self, const std::optional<Dtype>& dtype) {
  return self.dtype() == Dtype::float32 && (!dtype || *dtype == Dtype::float32) && self.numel() > 0 &&
         self.numel() < kParallelElements && is_row(self.impl());
}
float row_sum(const Tensor& self) {
  return static_cast<float>(simd::reductions<float>().sum(self.data<float>(), self.numel()));
}

[[gnu::noinline]] Tensor sum_of_many(const Tensor& self, const std::optional<Dtype>& dtype) {
  if (!is_float_row(self, dtype)) return sum_of(self, {}, false, sum_dtype(self, dtype), Share::whole);
  Tensor out = single<Dtype::float32>(0);
  *out.data<float>() = row_sum(self);
  return out;
}

Tensor sum_kernel(const Tensor& self, const std::optional<Dtype>& dtype) {
  if (dtype || self.numel() != 1 || self.dtype() != Dtype::float32) return sum_of_many(self, dtype);
  Tensor out = single<Dtype::float32>(0);
  *out.data<float>() = *self.data<float>();
  return out;
}

Tensor sum_dim_kernel(const Tensor& self, const std::optional<IntList>& dim, bool keepdim,
                      const std::optional<Dtype>& dtype) {
  return sum_of(self, dim, keepdim, sum_dtype(self, dtype), Share::whole);
}

/// It is computed in out's dtype if no dtype is requested [aten/src/ATen/native/ReduceOpsUtils.h,
/// infer_dtype_from_optional].
const Tensor& sum_out_kernel(const Tensor& self, const std::optional<IntList>& dim, bool keepdim,
                             const std::optional<Dtype>& dtype, const Tensor& out) {
  const ReducedDims dims = reduced_dims(self, dim);
  const DimVector sizes = reduced_sizes(self, dims, keepdim);
  check_out_dtype(out, dtype.value_or(out.dtype()));
  check_out_overlap(out, sizes, {}, {TensorList(&self, 1)});
  resize_output(out, sizes);
  add_up(self, dims, keepdim, Share::whole, out);
  return out;
}

/// Bools and integers have no mean, unless a floating dtype is asked for.
Dtype mean_dtype(const Tensor& self, const std::optional<Dtype>& asked) {
  const Dtype dtype = asked.value_or(self.dtype());
  if (!is_floating(dtype))
    raise_saying(ErrorClass::dtype_op,
                 std::string("mean(): could not infer output dtype. ") + (asked ? "Optional" : "Input") +
                     " dtype must be either a floating point or complex dtype. Got: " + scalar_name(dtype));
  return dtype;
}

Tensor mean_kernel(const Tensor& self, const std::optional<Dtype>& dtype) {
  if (is_float_row(self, dtype)) {
    Tensor out = single<Dtype::float32>(0);
    *out.data<float>() = row_sum(self) / static_cast<float>(self.numel());
    return out;
  }
  return sum_of(self, {}, false, mean_dtype(self, dtype), Share::mean);
}

Tensor mean_dim_kernel(const Tensor& self, const std::optional<IntList>& dim, bool keepdim,
                       const std::optional<Dtype>& dtype) {
  return sum_of(self, dim, keepdim, mean_dtype(self, dtype), Share::mean);
}

}  // namespace

void cpu::sum(const ReductionLoops& loops, const Operand& from, const Operand& to, bool mean) {
  visit_dtype(from.dtype, [&]<class From>(From) {
    visit_dtype(to.dtype, [&]<class To>(To) {
      if constexpr (std::is_floating_point_v<From> == std::is_floating_point_v<To>) {
        To* const out = reinterpret_cast<To*>(to.data);
        const To divisor = mean ? static_cast<To>(loops.count) : To(1);
        reduce<SumReduction<From>>(loops, reinterpret_cast<const From*>(from.data),
                                   [&](std::int64_t place, simd::SumOf<From> sum) {
                                     out[place] = static_cast<To>(sum);
                                     if constexpr (std::is_floating_point_v<To>)
                                       if (mean) out[place] /= divisor;
                                   });
      }
    });
  });
}

std::span<const OpKernel> device_reduction_kernels() {
  static const std::array kernels{plain_kernel<op::sum, sum_of_many>()};
  return kernels;
}

std::span<const OpKernel> reduction_kernels() {
  static const std::array kernels{plain_kernel<op::sum, sum_kernel>(),
                                  plain_kernel<op::sum_dim_IntList, sum_dim_kernel>(),
                                  plain_kernel<op::sum_IntList_out, sum_out_kernel>(),
                                  plain_kernel<op::mean, mean_kernel>(),
                                  plain_kernel<op::mean_dim, mean_dim_kernel>(),
                                  plain_kernel<op::_softmax, softmax_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
