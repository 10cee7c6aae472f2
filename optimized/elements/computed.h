// What add, sub, mul and div compute of one element.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
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

}  // namespace plumbline::optimized
