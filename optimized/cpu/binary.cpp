// Pointwise arithmetic on two tensors of any sizes, strides and dtypes: what the fast paths leave.
#include "optimized/cpu/binary.h"

#include <algorithm>
#include <array>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// [aten/src/ATen/native/BinaryOps.h, sub_check]
void check_dtypes(Arithmetic op, const Tensor& a, const Tensor& b) {
  if (op != Arithmetic::sub) return;
  if (a.dtype() == Dtype::boolean && b.dtype() == Dtype::boolean)
    raise_saying(ErrorClass::dtype_mismatch,
                 "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                 "`logical_xor()` operator instead.");
  if (a.dtype() == Dtype::boolean || b.dtype() == Dtype::boolean)
    raise_saying(ErrorClass::dtype_mismatch,
                 "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a "
                 "mask, use the `~` or `logical_not()` operator instead.");
}

Dtype common_dtype(Arithmetic op, const Tensor& a, const Tensor& b) {
  const Dtype dtype = a.dtype() == b.dtype() ? a.dtype() : result_type(a, b);
  return op == Arithmetic::div && !is_floating(dtype) ? Dtype::float32 : dtype;
}

/// What is computed in the end, and with which alpha.
struct Computation {
  Arithmetic op;
  Dtype dtype;
  Scalar alpha = 1;
};

Scalar negated(Scalar alpha) {
  if (alpha.is_real()) return -alpha.real();
  return static_cast<std::int64_t>(-static_cast<std::uint64_t>(alpha.integer()));
}

/// [BinaryOps.h, alpha_check; BinaryOps.cpp, sub_out: add with the negated alpha]
Computation computation(Arithmetic op, Dtype dtype, Scalar alpha) {
  if (is_one(alpha)) return {op, dtype};
  if (alpha.kind() == Scalar::Kind::boolean && dtype != Dtype::boolean)
    raise_saying(ErrorClass::dtype_mismatch, "Boolean alpha only supported for Boolean results.");
  if (alpha.is_real() && !is_floating(dtype))
    raise_saying(ErrorClass::dtype_mismatch,
                 "For integral input tensors, argument alpha must not be a floating point number.");
  return {Arithmetic::add_scaled, dtype, checked_number(op == Arithmetic::sub ? negated(alpha) : alpha, dtype)};
}

void run(const Computation& it, IntList sizes, const Operand& out, const Input& a, const Input& b) {
  primitives().arithmetic(it.op, sizes, out, a.operand(), b.operand(), it.dtype, it.alpha);
}

Tensor computed_fresh(const Computation& it, IntList sizes, const Input& a, const Input& b) {
  Tensor out = empty_strided(sizes, result_strides(sizes, std::array{a.laid_out(), b.laid_out()}), it.dtype);
  run(it, sizes, Operand::of(out), a, b);
  return out;
}

}  // namespace

Tensor binary(Arithmetic op, const Tensor& a, const Tensor& b, Scalar alpha) {
  check_dtypes(op, a, b);
  const DimVector sizes = broadcast_sizes(a.sizes(), b.sizes());
  const Computation it = computation(op, common_dtype(op, a, b), alpha);
  return computed_fresh(it, sizes, Input(a, it.dtype), Input(b, it.dtype));
}

void binary_inplace(Arithmetic op, const Tensor& self, const Tensor& other, Scalar alpha) {
  check_dtypes(op, self, other);
  check_internal_overlap(self);
  check_partial_overlap(self, other);
  check_output_sizes(self.sizes(), broadcast_sizes(self.sizes(), other.sizes()));
  const Dtype dtype = common_dtype(op, self, other);
  check_cast(dtype, self.dtype());
  const Computation it = computation(op, dtype, alpha);
  const Input a(self, dtype);
  const Input b(other, dtype);
  run(it, self.sizes(), a.operand(), a, b);
  if (a.is_copy()) copy_elements(self.sizes(), Operand::of(self), a.operand());
}

void binary_out(Arithmetic op, const Tensor& a, const Tensor& b, Scalar alpha, const Tensor& out) {
  check_dtypes(op, a, b);
  check_internal_overlap(out);
  check_partial_overlap(out, a);
  check_partial_overlap(out, b);
  const DimVector sizes = broadcast_sizes(a.sizes(), b.sizes());
  if (out.is_same(a) || out.is_same(b)) check_output_sizes(out.sizes(), sizes);
  const Dtype dtype = common_dtype(op, a, b);
  check_cast(dtype, out.dtype());
  const Computation it = computation(op, dtype, alpha);
  const Input x(a, dtype);
  const Input y(b, dtype);
  if (dtype == out.dtype() && std::ranges::equal(out.sizes(), static_cast<IntList>(sizes)))
    return run(it, sizes, Operand::of(out), x, y);
  store_result(computed_fresh(it, sizes, x, y), out);
}

}  // namespace plumbline::optimized
