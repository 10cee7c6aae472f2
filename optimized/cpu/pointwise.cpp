// add, sub, mul and div: the fast paths, and the kernels.
#include <array>
#include <concepts>

#include "optimized/cpu/binary.h"
#include "optimized/cpu/fast.h"
#include "optimized/cpu/masked.h"
#include "optimized/cpu/parallel.h"
#include "optimized/elements/elements.h"
#include "optimized/elements/operand.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"

namespace plumbline::optimized {

namespace {

/// Whether the op has a loop over elements of T as they are.
template <Arithmetic kOp, class T>
constexpr bool kHasLoop = !std::same_as<T, bool> && (kOp != Arithmetic::div || std::floating_point<T>);

template <Arithmetic kOp>
bool has_loop(Dtype dtype) {
  return visit_dtype(dtype, []<class T>(T) { return kHasLoop<kOp, T>; });
}

/// `out = a op b`, all rows of `dtype`, which has a loop.
template <Arithmetic kOp>
void compute_rows(const Tensor& out, const Tensor& a, const Tensor& b) {
  visit_dtype(out.dtype(), [&]<class T>(T) {
    if constexpr (kHasLoop<kOp, T>) {
      const auto loop = loops_of<kOp, T>().rows;
      parallel_for(out.numel(),
                   [&, to = out.data<T>(), x = a.data<T>(), y = b.data<T>()](std::int64_t begin, std::int64_t end) {
                     loop(x + begin, y + begin, to + begin, end - begin);
                   });
    }
  });
}

/// The same where `b` is a number for `a` (fast.h).
template <Arithmetic kOp>
void compute_with_number(const Tensor& out, const Tensor& a, const Tensor& b) {
  const std::byte* const at = Operand::of(b).data;
  visit_dtype(out.dtype(), [&]<class T>(T) {
    if constexpr (kHasLoop<kOp, T>) {
      parallel_for(out.numel(), [loop = loops_of<kOp, T>().second_is_one, number = loaded_as<T>(b.dtype(), at),
                                 to = out.data<T>(), x = a.data<T>()](std::int64_t begin, std::int64_t end) {
        loop(x + begin, &number, to + begin, end - begin);
      });
    }
  });
}

/// Whether sub refuses what would otherwise be a number.
template <Arithmetic kOp>
bool is_refused(const Tensor& b) {
  return kOp == Arithmetic::sub && b.dtype() == Dtype::boolean;
}

template <Arithmetic kOp>
[[gnu::noinline]] Tensor made_of_rows(const Tensor& a, const Tensor& b, Scalar alpha) {
  if (!is_one(alpha) || !has_loop<kOp>(a.dtype())) return binary(kOp, a, b, alpha);
  const bool rows = are_rows(a.impl(), b.impl());
  if (!rows && !(is_fresh_row(a.impl()) && is_number_for(a.impl(), b.impl()) && !is_refused<kOp>(b)))
    return binary(kOp, a, b, alpha);
  Tensor out = rows_like(a.impl(), a.dtype());
  rows ? compute_rows<kOp>(out, a, b) : compute_with_number<kOp>(out, a, b);
  return out;
}

template <Arithmetic kOp>
[[gnu::always_inline]] inline Tensor made(const Tensor& a, const Tensor& b, Scalar alpha = 1) {
  if (!are_single<Dtype::float32>(a.impl(), b.impl()) || !is_one(alpha)) return made_of_rows<kOp>(a, b, alpha);
  Tensor out = single<Dtype::float32>(a.dim());
  *out.data<float>() = computed<kOp>(*a.data<float>(), *b.data<float>());
  return out;
}

template <Arithmetic kOp>
[[gnu::noinline]] const Tensor& inplace_of_rows(const Tensor& self, const Tensor& other, Scalar alpha) {
  const bool fast = is_one(alpha) && are_apart(self, other) && has_loop<kOp>(self.dtype());
  if (fast && are_rows(self.impl(), other.impl())) {
    compute_rows<kOp>(self, self, other);
  } else if (fast && is_row(self.impl()) && is_number_for(self.impl(), other.impl()) && !is_refused<kOp>(other)) {
    compute_with_number<kOp>(self, self, other);
  } else {
    binary_inplace(kOp, self, other, alpha);
  }
  return self;
}

template <Arithmetic kOp>
[[gnu::always_inline]] inline const Tensor& inplace(const Tensor& self, const Tensor& other, Scalar alpha = 1) {
  if (!are_single<Dtype::float32>(self.impl(), other.impl()) || !are_apart(self, other) || !is_one(alpha))
    return inplace_of_rows<kOp>(self, other, alpha);
  float& element = *self.data<float>();
  element = computed<kOp>(element, *other.data<float>());
  return self;
}

template <Arithmetic kOp>
const Tensor& into(const Tensor& a, const Tensor& b, Scalar alpha, const Tensor& out) {
  if (are_rows(a.impl(), b.impl()) && are_rows(out.impl(), a.impl()) && are_apart(out, a) && are_apart(out, b) &&
      has_loop<kOp>(a.dtype()) && is_one(alpha)) {
    compute_rows<kOp>(out, a, b);
    return out;
  }
  binary_out(kOp, a, b, alpha, out);
  return out;
}

template <Arithmetic kOp>
Tensor product_of_rows(const Tensor& self, const Tensor& other) {
  return made_of_rows<kOp>(self, other, 1);
}
template <Arithmetic kOp>
const Tensor& inplace_product_of_rows(const Tensor& self, const Tensor& other) {
  return inplace_of_rows<kOp>(self, other, 1);
}

[[gnu::always_inline]] inline Tensor add_kernel(const Tensor& self, const Tensor& other, Scalar alpha) {
  return made<Arithmetic::add>(self, other, alpha);
}
[[gnu::always_inline]] inline Tensor sub_kernel(const Tensor& self, const Tensor& other, Scalar alpha) {
  return made<Arithmetic::sub>(self, other, alpha);
}
[[gnu::always_inline]] inline Tensor mul_kernel(const Tensor& self, const Tensor& other) {
  return made<Arithmetic::mul>(self, other);
}
[[gnu::always_inline]] inline Tensor div_kernel(const Tensor& self, const Tensor& other) {
  return made<Arithmetic::div>(self, other);
}

[[gnu::always_inline]] inline const Tensor& add_inplace_kernel(const Tensor& self, const Tensor& other, Scalar alpha) {
  return inplace<Arithmetic::add>(self, other, alpha);
}
[[gnu::always_inline]] inline const Tensor& sub_inplace_kernel(const Tensor& self, const Tensor& other, Scalar alpha) {
  return inplace<Arithmetic::sub>(self, other, alpha);
}
[[gnu::always_inline]] inline const Tensor& mul_inplace_kernel(const Tensor& self, const Tensor& other) {
  return inplace<Arithmetic::mul>(self, other);
}
[[gnu::always_inline]] inline const Tensor& div_inplace_kernel(const Tensor& self, const Tensor& other) {
  return inplace<Arithmetic::div>(self, other);
}

const Tensor& add_out_kernel(const Tensor& self, const Tensor& other, Scalar alpha, const Tensor& out) {
  return into<Arithmetic::add>(self, other, alpha, out);
}
const Tensor& sub_out_kernel(const Tensor& self, const Tensor& other, Scalar alpha, const Tensor& out) {
  return into<Arithmetic::sub>(self, other, alpha, out);
}
const Tensor& mul_out_kernel(const Tensor& self, const Tensor& other, const Tensor& out) {
  return into<Arithmetic::mul>(self, other, 1, out);
}
const Tensor& div_out_kernel(const Tensor& self, const Tensor& other, const Tensor& out) {
  return into<Arithmetic::div>(self, other, 1, out);
}

}  // namespace

std::span<const OpKernel> device_pointwise_kernels() {
  static const std::array kernels{
      plain_kernel<op::add_Tensor, made_of_rows<Arithmetic::add>>(),
      plain_kernel<op::sub_Tensor, made_of_rows<Arithmetic::sub>>(),
      plain_kernel<op::mul_Tensor, product_of_rows<Arithmetic::mul>>(),
      plain_kernel<op::div_Tensor, product_of_rows<Arithmetic::div>>(),
      plain_kernel<op::add__Tensor, inplace_of_rows<Arithmetic::add>>(),
      plain_kernel<op::sub__Tensor, inplace_of_rows<Arithmetic::sub>>(),
      plain_kernel<op::mul__Tensor, inplace_product_of_rows<Arithmetic::mul>>(),
      plain_kernel<op::div__Tensor, inplace_product_of_rows<Arithmetic::div>>(),
  };
  return kernels;
}

std::span<const OpKernel> pointwise_kernels() {
  static const std::array kernels{
      plain_kernel<op::add_Tensor, add_kernel>(),
      plain_kernel<op::sub_Tensor, sub_kernel>(),
      plain_kernel<op::mul_Tensor, mul_kernel>(),
      plain_kernel<op::div_Tensor, div_kernel>(),
      plain_kernel<op::add__Tensor, add_inplace_kernel>(),
      plain_kernel<op::sub__Tensor, sub_inplace_kernel>(),
      plain_kernel<op::mul__Tensor, mul_inplace_kernel>(),
      plain_kernel<op::div__Tensor, div_inplace_kernel>(),
      plain_kernel<op::add_out, add_out_kernel>(),
      plain_kernel<op::sub_out, sub_out_kernel>(),
      plain_kernel<op::mul_out, mul_out_kernel>(),
      plain_kernel<op::div_out, div_out_kernel>(),
      plain_kernel<op::where_self, masked::where>(),
      plain_kernel<op::masked_fill_Scalar, masked::masked_fill>(),
      plain_kernel<op::masked_fill__Scalar, masked::masked_fill_>(),
  };
  return kernels;
}

}  // namespace plumbline::optimized
