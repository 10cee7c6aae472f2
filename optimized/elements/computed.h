// What pointwise ops compute of one element.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "optimized/elements/host_device.h"

namespace plumbline::optimized {

/// `add_scaled` is `a + alpha * b`: add and sub with an alpha that is not 1.
enum class Arithmetic : std::uint8_t { add, sub, mul, div, add_scaled };

/// One element's result; integers wrap, and bools add as `or`, multiply as `and`. `alpha` counts in add_scaled alone.
template <Arithmetic kOp, class T>
PLUMBLINE_HOST_DEVICE T computed(T a, T b, T alpha = T(1)) {
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

enum class UnaryFunction : std::uint8_t { neg, relu, exp, tanh, sqrt };

/// Of a T that is not bool; exp, tanh and sqrt of floats alone. Integers wrap.
template <UnaryFunction kF, class T>
PLUMBLINE_HOST_DEVICE T value_at(T x) {
  if constexpr (kF == UnaryFunction::relu) return x < T(0) ? T(0) : x;
  if constexpr (std::integral<T>) {
    return static_cast<T>(-static_cast<std::make_unsigned_t<T>>(x));
  } else {
    if constexpr (kF == UnaryFunction::neg) return -x;
    if constexpr (kF == UnaryFunction::exp) return std::exp(x);
    if constexpr (kF == UnaryFunction::tanh) return std::tanh(x);
    return std::sqrt(x);
  }
}
/// Whether it is computed in float32 if the input is not of floats.
constexpr bool is_of_floats(UnaryFunction f) { return f != UnaryFunction::neg && f != UnaryFunction::relu; }
/// Whether it is computed of Ts.
template <UnaryFunction kF, class T>
constexpr bool kComputes = !std::same_as<T, bool> && (std::floating_point<T> || !is_of_floats(kF));

/// The larger or the smaller of two; not-a-number if one is.
template <bool kLargest, class T>
PLUMBLINE_HOST_DEVICE constexpr T extreme_of_two(T a, T b) {
  const bool wins = kLargest ? b > a : b < a;
  return wins || b != b ? b : a;  // NOLINT(misc-redundant-expression): not-a-number alone
}
/// The extreme of no Ts: each T wins against it, or is equal.
template <bool kLargest, class T>
PLUMBLINE_HOST_DEVICE constexpr T extreme_of_none() {
  using Limits = std::numeric_limits<T>;
  if constexpr (Limits::has_infinity) return kLargest ? static_cast<T>(-Limits::infinity()) : Limits::infinity();
  return kLargest ? Limits::lowest() : Limits::max();
}

enum class Relation : std::uint8_t { gt, ge, eq };

template <Relation kRelation, class T>
PLUMBLINE_HOST_DEVICE bool holds(T a, T b) {
  if constexpr (kRelation == Relation::gt) return a > b;
  if constexpr (kRelation == Relation::ge) return a >= b;
  return a == b;
}

/// The derivatives that are ops themselves: threshold_backward and tanh_backward.
enum class Slope : std::uint8_t { threshold, tanh };

/// threshold: the gradient `b`, but 0 where `a` is at most the limit [aten/src/ATen/native/Activation.cpp]; tanh:
/// gradient `a` · (1 − `b`²), where b is the output [aten/src/ATen/native/BinaryOps.cpp].
template <Slope kSlope, class T>
PLUMBLINE_HOST_DEVICE T slope_at(T a, T b, T limit) {
  if constexpr (kSlope == Slope::threshold) return a <= limit ? T(0) : b;
  if constexpr (kSlope == Slope::tanh) return a * (T(1) - b * b);
}

}  // namespace plumbline::optimized
