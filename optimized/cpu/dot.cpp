// The product of two vectors: floats in blocks whose sums are added as doubles, so that little is lost.
#include "optimized/cpu/dot.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace plumbline::optimized {

namespace {

constexpr std::int64_t kBlock = 1024;
constexpr std::size_t kLanes = 16;

/// Of at most kBlock floats, in several sums at once.
template <class T>
T block_product(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, std::int64_t n) {
  std::array<T, kLanes> sums{};
  std::int64_t i = 0;
  for (; i + static_cast<std::int64_t>(kLanes) <= n; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::int64_t at = i + static_cast<std::int64_t>(lane);
      sums[lane] += a[at * a_step] * b[at * b_step];
    }
  T sum = 0;
  for (; i < n; ++i) sum += a[i * a_step] * b[i * b_step];
  for (const T lane : sums) sum += lane;
  return sum;
}

}  // namespace

template <class T>
T dot_product(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, std::int64_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; i += kBlock)
      sum += block_product(a + i * a_step, a_step, b + i * b_step, b_step, std::min(kBlock, n - i));
    return static_cast<T>(sum);
  } else {
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
      sum += static_cast<std::uint64_t>(a[i * a_step]) * static_cast<std::uint64_t>(b[i * b_step]);
    return static_cast<T>(sum);
  }
}

template float dot_product(const float*, std::int64_t, const float*, std::int64_t, std::int64_t);
template double dot_product(const double*, std::int64_t, const double*, std::int64_t, std::int64_t);
template std::int64_t dot_product(const std::int64_t*, std::int64_t, const std::int64_t*, std::int64_t, std::int64_t);
template std::int32_t dot_product(const std::int32_t*, std::int64_t, const std::int32_t*, std::int64_t, std::int64_t);
template bool dot_product(const bool*, std::int64_t, const bool*, std::int64_t, std::int64_t);

}  // namespace plumbline::optimized
