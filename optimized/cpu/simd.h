// Loops over elements in a row, vectorised for the instruction set that the machine has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plumbline::optimized::simd {

/// A result of at least this many bytes bypasses the caches.
inline constexpr std::int64_t kStreamedBytes = std::int64_t{8} << 20;

/// `out[i] = f(a[i], b[i])` for i < n. `out` may be `a` or `b`, and shares no memory with them otherwise.
template <class T>
struct Binary {
  using Loop = void (*)(const T* a, const T* b, T* out, std::int64_t n);
  Loop rows;
  Loop first_is_one;   ///< `a` is one element, for all of `b`
  Loop second_is_one;  ///< the other way round
};

/// `out[i] = f(a[i])`; `out` may be `a`.
template <class T>
using Unary = void (*)(const T* a, T* out, std::int64_t n);

/// `out[i] = a[i] + alpha * b[i]`, rounded once if the machine can; else as Binary.
template <class T>
struct Scaled {
  using Loop = void (*)(const T* a, const T* b, T alpha, T* out, std::int64_t n);
  Loop rows;
  Loop first_is_one;
  Loop second_is_one;
};

/// As Binary, but `out` shares no memory with either.
template <class T>
struct Comparison {
  using Loop = void (*)(const T* a, const T* b, bool* out, std::int64_t n);
  Loop rows;
  Loop first_is_one;
  Loop second_is_one;
};

/// The loops for elements of T. Integers wrap.
template <class T>
struct Loops {
  Binary<T> add, sub, mul;
  Binary<T> div;  ///< only for floats
  Scaled<T> add_scaled;
  Comparison<T> gt, ge, eq;
  Unary<T> neg, relu;
  Unary<T> sqrt, exp, tanh;  ///< only for floats; exp and tanh within 4 units in the last place
  void (*fill)(T value, T* out, std::int64_t n);
};

/// Of float, double, std::int32_t and std::int64_t.
template <class T>
const Loops<T>& loops();

/// Copies bytes between places that do not overlap.
void copy(const std::byte* from, std::byte* to, std::int64_t bytes);

}  // namespace plumbline::optimized::simd
