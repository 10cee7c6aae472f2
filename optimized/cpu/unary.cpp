// neg, relu, exp, tanh and sqrt.
#include <array>
#include <concepts>

#include "optimized/cpu/fast.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/simd.h"
#include "optimized/elements/elements.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

using Function = UnaryFunction;

template <Function kF, class T>
simd::Unary<T> loop_of() {
  const simd::Loops<T>& all = simd::loops<T>();
  if constexpr (kF == Function::neg) return all.neg;
  if constexpr (kF == Function::relu) return all.relu;
  if constexpr (kF == Function::exp) return all.exp;
  if constexpr (kF == Function::tanh) return all.tanh;
  if constexpr (kF == Function::sqrt) return all.sqrt;
}

template <Function kF, class T>
void row(std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
  if (steps[0] == sizeof(T) && steps[1] == sizeof(T))
    return loop_of<kF, T>()(reinterpret_cast<const T*>(data[1]), reinterpret_cast<T*>(data[0]), n);
  for (std::int64_t i = 0; i < n; ++i) store(data[0] + i * steps[0], value_at<kF>(loaded<T>(data[1] + i * steps[1])));
}

template <Function kF>
void run(IntList sizes, const Operand& out, const Operand& in, Dtype dtype) {
  const StridedLoop loop(sizes, std::array{out, in});
  visit_dtype(dtype, [&]<class T>(T) {
    if constexpr (kComputes<kF, T>) loop.run(row<kF, T>);
  });
}

template <Function kF>
void check_dtype(Dtype dtype) {
  if (dtype != Dtype::boolean) return;
  if (kF == Function::neg)
    raise_saying(ErrorClass::dtype_op,
                 "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, "
                 "use the `~` or `logical_not()` operator instead.");
  if (kF == Function::relu) raise_saying(ErrorClass::dtype_op, "Boolean inputs not supported for relu");
}

/// The dtype in which the function is computed.
template <Function kF>
Dtype computed_dtype(Dtype dtype) {
  return is_of_floats(kF) && !is_floating(dtype) ? Dtype::float32 : dtype;
}

template <Function kF>
[[gnu::noinline]] Tensor made_strided(const Tensor& self) {
  const Dtype dtype = computed_dtype<kF>(self.dtype());
  const Input in(self, dtype);
  Tensor out = empty_strided(self.sizes(), result_strides(self.sizes(), std::array{in.laid_out()}), dtype);
  primitives().unary(kF, self.sizes(), Operand::of(out), in.operand(), dtype);
  return out;
}

/// The elements of a row, which has no gaps.
template <Function kF, class T>
void run_rows(const Tensor& out, const Tensor& self) {
  parallel_for(self.numel(),
               [loop = loop_of<kF, T>(), to = out.data<T>(), from = self.data<T>()](
                   std::int64_t begin, std::int64_t end) { loop(from + begin, to + begin, end - begin); });
}

template <Function kF>
[[gnu::noinline]] Tensor made_of_row(const Tensor& self) {
  check_dtype<kF>(self.dtype());
  if (self.dtype() != Dtype::float32 || !is_row(self.impl())) return made_strided<kF>(self);
  Tensor out = rows_like(self.impl(), Dtype::float32);
  run_rows<kF, float>(out, self);
  return out;
}

template <Function kF>
[[gnu::always_inline]] inline Tensor made(const Tensor& self) {
  if (!is_single<Dtype::float32>(self.impl())) return made_of_row<kF>(self);
  Tensor out = single<Dtype::float32>(self.dim());
  *out.data<float>() = value_at<kF>(*self.data<float>());
  return out;
}

template <Function kF>
[[gnu::noinline]] const Tensor& inplace_of_any(const Tensor& self) {
  check_dtype<kF>(self.dtype());
  if (self.dtype() == Dtype::float32 && is_row(self.impl())) {
    run_rows<kF, float>(self, self);
    return self;
  }
  check_internal_overlap(self);
  const Dtype dtype = computed_dtype<kF>(self.dtype());
  check_cast(dtype, self.dtype());
  primitives().unary(kF, self.sizes(), Operand::of(self), Operand::of(self), dtype);
  return self;
}

template <Function kF>
[[gnu::always_inline]] inline const Tensor& inplace(const Tensor& self) {
  if (is_single<Dtype::float32>(self.impl())) {
    *self.data<float>() = value_at<kF>(*self.data<float>());
  } else {
    inplace_of_any<kF>(self);
  }
  return self;
}

/// `kSame`: out must have the dtype in which the op computes.
template <Function kF, bool kSame>
const Tensor& into(const Tensor& self, const Tensor& out) {
  check_dtype<kF>(self.dtype());
  check_internal_overlap(out);
  check_partial_overlap(out, self);
  const Dtype dtype = computed_dtype<kF>(self.dtype());
  if (kSame && out.dtype() != dtype)
    raise_saying(ErrorClass::dtype_mismatch,
                 std::string("Found dtype ") + scalar_name(out.dtype()) + " but expected " + scalar_name(dtype));
  check_cast(dtype, out.dtype());
  if (out.dtype() == dtype && have_same_sizes(out.impl(), self.impl())) {
    primitives().unary(kF, self.sizes(), Operand::of(out), Input(self, dtype).operand(), dtype);
    return out;
  }
  store_result(made_strided<kF>(self), out);
  return out;
}

}  // namespace

void cpu::unary(UnaryFunction function, IntList sizes, const Operand& out, const Operand& in, Dtype dtype) {
  switch (function) {
    case Function::neg:
      return run<Function::neg>(sizes, out, in, dtype);
    case Function::relu:
      return run<Function::relu>(sizes, out, in, dtype);
    case Function::exp:
      return run<Function::exp>(sizes, out, in, dtype);
    case Function::tanh:
      return run<Function::tanh>(sizes, out, in, dtype);
    case Function::sqrt:
      return run<Function::sqrt>(sizes, out, in, dtype);
  }
}

std::span<const OpKernel> device_unary_kernels() {
  static const std::array kernels{
      plain_kernel<op::neg, made_of_row<Function::neg>>(),
      plain_kernel<op::relu, made_of_row<Function::relu>>(),
      plain_kernel<op::exp, made_of_row<Function::exp>>(),
      plain_kernel<op::tanh, made_of_row<Function::tanh>>(),
      plain_kernel<op::sqrt, made_of_row<Function::sqrt>>(),
      plain_kernel<op::neg_, inplace_of_any<Function::neg>>(),
      plain_kernel<op::relu_, inplace_of_any<Function::relu>>(),
      plain_kernel<op::exp_, inplace_of_any<Function::exp>>(),
      plain_kernel<op::tanh_, inplace_of_any<Function::tanh>>(),
      plain_kernel<op::sqrt_, inplace_of_any<Function::sqrt>>(),
  };
  return kernels;
}

std::span<const OpKernel> unary_kernels() {
  static const std::array kernels{
      plain_kernel<op::neg, made<Function::neg>>(),
      plain_kernel<op::relu, made<Function::relu>>(),
      plain_kernel<op::exp, made<Function::exp>>(),
      plain_kernel<op::tanh, made<Function::tanh>>(),
      plain_kernel<op::sqrt, made<Function::sqrt>>(),
      plain_kernel<op::neg_, inplace<Function::neg>>(),
      plain_kernel<op::relu_, inplace<Function::relu>>(),
      plain_kernel<op::exp_, inplace<Function::exp>>(),
      plain_kernel<op::tanh_, inplace<Function::tanh>>(),
      plain_kernel<op::sqrt_, inplace<Function::sqrt>>(),
      plain_kernel<op::neg_out, into<Function::neg, true>>(),
      plain_kernel<op::exp_out, into<Function::exp, false>>(),
      plain_kernel<op::tanh_out, into<Function::tanh, false>>(),
      plain_kernel<op::sqrt_out, into<Function::sqrt, false>>(),
  };
  return kernels;
}

}  // namespace plumbline::optimized
