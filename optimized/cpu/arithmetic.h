// What add, sub, mul and div compute, element by element and in loops.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "optimized/cpu/iterator.h"
#include "optimized/cpu/simd.h"
#include "optimized/tensor/scalar.h"

namespace plumbline::optimized {

/// `add_scaled` is `a + alpha * b`: add and sub with an alpha that is not 1.
enum class Arithmetic : std::uint8_t { add, sub, mul, div, add_scaled };

/// One element's result; integers wrap, and bools add as `or`, multiply as `and`. `alpha` counts in add_scaled alone.
template <Arithmetic kOp, class T>
T computed(T a, T b, T alpha = T(1)) {
  if constexpr (std::same_as<T, bool>) {
    return kOp == Arithmetic::mul ? a && b : a || (b && alpha);
  } else if constexpr (std::integral<T>) {
    using Word = std::make_unsigned_t<T>;
    const auto x = static_cast<Word>(a);
    const auto y = static_cast<Word>(b);
    if constexpr (kOp == Arithmetic::sub) return static_cast<T>(x - y);
    if constexpr (kOp == Arithmetic::mul) return static_cast<T>(x * y);
    if constexpr (kOp == Arithmetic::add) return static_cast<T>(x + y);
    return static_cast<T>(x + static_cast<Word>(alpha) * y);
  } else {
    if constexpr (kOp == Arithmetic::add) return a + b;
    if constexpr (kOp == Arithmetic::sub) return a - b;
    if constexpr (kOp == Arithmetic::mul) return a * b;
    if constexpr (kOp == Arithmetic::div) return a / b;
    return std::fma(alpha, b, a);
  }
}

/// The loops for what needs no alpha; of T that is not bool.
template <Arithmetic kOp, class T>
const simd::Binary<T>& loops_of() {
  const simd::Loops<T>& all = simd::loops<T>();
  if constexpr (kOp == Arithmetic::add) return all.add;
  if constexpr (kOp == Arithmetic::sub) return all.sub;
  if constexpr (kOp == Arithmetic::mul) return all.mul;
  if constexpr (kOp == Arithmetic::div) return all.div;
}

/// Computes in `dtype`, that of all operands, what `op` makes of `a` and `b`, both broadcast to `sizes`, which are
/// those of `out`. div of integers or bools, and sub of bools, never come here: they are refused before.
void compute(Arithmetic op, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
             Scalar alpha);

}  // namespace plumbline::optimized
