// Sums and extremes of elements in a row, vectorised for the instruction set that the machine has.
#pragma once

#include <cstdint>
#include <type_traits>

namespace plumbline::optimized::simd {

/// The type in which elements are added: floats as doubles, so that the order hardly matters, and integers as a type
/// that wraps.
template <class T>
using SumOf = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

/// The loops for n elements of T in a row.
template <class T>
struct Reductions {
  /// Their sum. Floats are first added as floats, a few at a time.
  SumOf<T> (*sum)(const T* from, std::int64_t n);
  /// For `rows` such rows, `step` apart: adds their elements `from[i]` to `sums[i]`.
  void (*add)(const T* from, std::int64_t step, std::int64_t rows, SumOf<T>* sums, std::int64_t n);
  /// The largest, or smallest, of n > 0: not-a-number if there is one.
  T (*largest)(const T* from, std::int64_t n);
  T (*smallest)(const T* from, std::int64_t n);
  /// `kept[i]` becomes the largest, or smallest, of itself and their elements `from[i]`; not-a-number if there is one.
  void (*take_larger)(const T* from, std::int64_t step, std::int64_t rows, T* kept, std::int64_t n);
  void (*take_smaller)(const T* from, std::int64_t step, std::int64_t rows, T* kept, std::int64_t n);
  /// Where the first of n > 0 elements is that equals `value`, or that is not a number if `value` is not; there is one.
  std::int64_t (*find)(const T* from, T value, std::int64_t n);
};

/// Of each dtype's elements.
template <class T>
const Reductions<T>& reductions();

/// `row[i]` becomes exp(row[i] - m) over the sum of those, where m is the largest; n > 0. Of float and double.
template <class T>
void softmax(T* row, std::int64_t n);

}  // namespace plumbline::optimized::simd
