// Sums and extremes of elements in a row, compiled for each instruction set.
#include "optimized/cpu/simd_reduce.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/cpu/simd_reduce.cpp"
// Between SSE2, which each x86 has, and AVX2 there is nothing to gain.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plumbline::optimized::simd::HWY_NAMESPACE {  // NOLINT(google-build-namespaces): one for each target

namespace hn = hwy::HWY_NAMESPACE;

/// This many elements are added in their own precision before the sum continues in a wider one.
constexpr std::size_t kBlock = 4096;

/// Integers one by one, without a sign: Highway adds them with a sign, and the sum may wrap.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::TFromD<D> sum_of_lanes(D d, V lanes) {
  using T = hn::TFromD<D>;
  if constexpr (std::is_floating_point_v<T>) {
    return hn::GetLane(hn::SumOfLanes(d, lanes));
  } else {
    HWY_ALIGN T room[hn::MaxLanes(d)];  // NOLINT(modernize-avoid-c-arrays): aligned by Highway's macro
    hn::Store(lanes, d, room);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) sum += static_cast<std::uint64_t>(room[i]);
    return static_cast<T>(sum);
  }
}

/// The sum of at most kBlock floats or of any integers, in the elements' own type.
template <class T>
HWY_INLINE T block_sum(const T* from, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto sum0 = hn::Zero(d);
  auto sum1 = hn::Zero(d);
  auto sum2 = hn::Zero(d);
  auto sum3 = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    sum0 = hn::Add(sum0, hn::LoadU(d, from + i));
    sum1 = hn::Add(sum1, hn::LoadU(d, from + i + lanes));
    sum2 = hn::Add(sum2, hn::LoadU(d, from + i + 2 * lanes));
    sum3 = hn::Add(sum3, hn::LoadU(d, from + i + 3 * lanes));
  }
  for (; i + lanes <= n; i += lanes) sum0 = hn::Add(sum0, hn::LoadU(d, from + i));
  T sum = sum_of_lanes(d, hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)));
  for (; i < n; ++i) sum += from[i];
  return sum;
}

template <class T>
double float_sum(const T* from, std::int64_t length) {
  const auto n = static_cast<std::size_t>(length);
  double sum = 0;
  for (std::size_t i = 0; i < n; i += kBlock) sum += block_sum(from + i, std::min(kBlock, n - i));
  return sum;
}
std::uint64_t word_sum(const std::int64_t* from, std::int64_t n) {
  return block_sum(reinterpret_cast<const std::uint64_t*>(from), static_cast<std::size_t>(n));
}
std::uint64_t int_sum(const std::int32_t* from, std::int64_t length) {
  const hn::ScalableTag<std::int64_t> d;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto n = static_cast<std::size_t>(length);
  auto sum0 = hn::Zero(d);
  auto sum1 = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    sum0 = hn::Add(sum0, hn::PromoteTo(d, hn::LoadU(narrow, from + i)));
    sum1 = hn::Add(sum1, hn::PromoteTo(d, hn::LoadU(narrow, from + i + lanes)));
  }
  auto sum = static_cast<std::uint64_t>(sum_of_lanes(d, hn::Add(sum0, sum1)));
  for (; i < n; ++i) sum += static_cast<std::uint64_t>(from[i]);
  return sum;
}
/// Bytes: of bools, any but 0 is true.
template <class T>
using Lane = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T, class D>
HWY_INLINE hn::Vec<D> load(D d, const Lane<T>* from) {
  if constexpr (std::is_same_v<T, bool>) return hn::Min(hn::LoadU(d, from), hn::Set(d, 1));
  if constexpr (!std::is_same_v<T, bool>) return hn::LoadU(d, from);
}
template <class T>
Lane<T> one(Lane<T> lane) {
  if constexpr (std::is_same_v<T, bool>) return lane != 0 ? 1 : 0;
  return lane;
}

/// Bools are added bytewise while no byte can overflow.
std::uint64_t bool_sum(const bool* from, std::int64_t length) {
  constexpr std::size_t kBytesFit = 255;
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
  const auto n = static_cast<std::size_t>(length);
  std::uint64_t sum = 0;
  std::size_t i = 0;
  while (i + lanes <= n) {
    auto counts = hn::Zero(d);
    const std::size_t end = std::min(i + kBytesFit * lanes, n / lanes * lanes);
    for (; i < end; i += lanes) counts = hn::Add(counts, load<bool>(d, bytes + i));
    HWY_ALIGN std::uint8_t room[HWY_MAX_BYTES];  // NOLINT(modernize-avoid-c-arrays): aligned by Highway's macro
    hn::Store(counts, d, room);
    for (std::size_t lane = 0; lane < lanes; ++lane) sum += room[lane];
  }
  for (; i < n; ++i) sum += one<bool>(bytes[i]);
  return sum;
}

/// This many rows are added in the elements' own type.
constexpr std::int64_t kRowsAtOnce = 64;

/// Four vectors' worth of columns.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void add_columns(D d, const T* from, std::int64_t step, std::int64_t rows, SumOf<T>* sums) {
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN T room[4 * hn::MaxLanes(d)];  // NOLINT(modernize-avoid-c-arrays): aligned by Highway's macro
  while (rows > 0) {
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    auto sum3 = hn::Zero(d);
    for (std::int64_t i = std::min(rows, kRowsAtOnce); i > 0; --i, from += step) {
      sum0 = hn::Add(sum0, hn::LoadU(d, from));
      sum1 = hn::Add(sum1, hn::LoadU(d, from + lanes));
      sum2 = hn::Add(sum2, hn::LoadU(d, from + 2 * lanes));
      sum3 = hn::Add(sum3, hn::LoadU(d, from + 3 * lanes));
    }
    rows -= kRowsAtOnce;
    hn::Store(sum0, d, room);
    hn::Store(sum1, d, room + lanes);
    hn::Store(sum2, d, room + 2 * lanes);
    hn::Store(sum3, d, room + 3 * lanes);
    for (std::size_t i = 0; i < 4 * lanes; ++i) sums[i] += static_cast<SumOf<T>>(room[i]);
  }
}

template <class T>
void add_rows(const T* from, std::int64_t step, std::int64_t rows, SumOf<T>* sums, std::int64_t n) {
  std::int64_t first = 0;
  if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::int32_t>) {
    const hn::ScalableTag<T> d;
    const auto columns = static_cast<std::int64_t>(4 * hn::Lanes(d));
    for (; first + columns <= n; first += columns) add_columns(d, from + first, step, rows, sums + first);
  }
  for (std::int64_t row = 0; row < rows; ++row, from += step) {
    const auto* lanes = reinterpret_cast<const Lane<T>*>(from);
    for (std::int64_t i = first; i < n; ++i) sums[i] += static_cast<SumOf<T>>(one<T>(lanes[i]));
  }
}

/// Whether `a` is nearer to the extreme than `b`, or not a number.
template <bool kLargest, class V>
HWY_INLINE V nearer(V a, V b) {
  auto wins = kLargest ? hn::Gt(a, b) : hn::Lt(a, b);
  if constexpr (std::is_floating_point_v<hn::TFromV<V>>) wins = hn::Or(wins, hn::Not(hn::Eq(a, a)));
  return hn::IfThenElse(wins, a, b);
}
template <bool kLargest, class T>
T nearer_one(T a, T b) {
  return (kLargest ? a > b : a < b) || a != a ? a : b;  // NOLINT(misc-redundant-expression): not-a-number alone
}

template <bool kLargest, class T>
T extreme_of_row(const T* row, std::int64_t length) {
  const auto* from = reinterpret_cast<const Lane<T>*>(row);
  const hn::ScalableTag<Lane<T>> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto n = static_cast<std::size_t>(length);
  Lane<T> extreme = one<T>(from[0]);
  std::size_t i = 1;
  if (n >= 2 * lanes) {
    auto first = load<T>(d, from);
    auto second = load<T>(d, from + lanes);
    for (i = 2 * lanes; i + 2 * lanes <= n; i += 2 * lanes) {
      first = nearer<kLargest>(load<T>(d, from + i), first);
      second = nearer<kLargest>(load<T>(d, from + i + lanes), second);
    }
    HWY_ALIGN Lane<T> room[HWY_MAX_BYTES / sizeof(T)];  // NOLINT(modernize-avoid-c-arrays): aligned by Highway's macro
    hn::Store(nearer<kLargest>(second, first), d, room);
    for (std::size_t lane = 0; lane < lanes; ++lane) extreme = nearer_one<kLargest>(room[lane], extreme);
  }
  for (; i < n; ++i) extreme = nearer_one<kLargest>(one<T>(from[i]), extreme);
  return static_cast<T>(extreme);
}

template <bool kLargest, class T, class D>
HWY_INLINE void take_columns(D d, const Lane<T>* from, std::int64_t step, std::int64_t rows, Lane<T>* kept) {
  const std::size_t lanes = hn::Lanes(d);
  auto kept0 = hn::LoadU(d, kept);
  auto kept1 = hn::LoadU(d, kept + lanes);
  for (; rows > 0; --rows, from += step) {
    kept0 = nearer<kLargest>(load<T>(d, from), kept0);
    kept1 = nearer<kLargest>(load<T>(d, from + lanes), kept1);
  }
  hn::StoreU(kept0, d, kept);
  hn::StoreU(kept1, d, kept + lanes);
}

template <bool kLargest, class T>
void take_rows(const T* row, std::int64_t step, std::int64_t rows, T* extremes, std::int64_t n) {
  const auto* from = reinterpret_cast<const Lane<T>*>(row);
  auto* kept = reinterpret_cast<Lane<T>*>(extremes);
  const hn::ScalableTag<Lane<T>> d;
  const auto columns = static_cast<std::int64_t>(2 * hn::Lanes(d));
  std::int64_t first = 0;
  for (; first + columns <= n; first += columns) take_columns<kLargest, T>(d, from + first, step, rows, kept + first);
  for (; rows > 0; --rows, from += step)
    for (std::int64_t i = first; i < n; ++i) kept[i] = nearer_one<kLargest>(one<T>(from[i]), kept[i]);
}

template <class T>
std::int64_t find_in_row(const T* row, T wanted, std::int64_t length) {
  const auto* from = reinterpret_cast<const Lane<T>*>(row);
  const auto value = static_cast<Lane<T>>(wanted);
  const bool none = value != value;  // NOLINT(misc-redundant-expression): not-a-number
  const hn::ScalableTag<Lane<T>> d;
  const auto same = hn::Set(d, value);
  const auto n = static_cast<std::size_t>(length);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto lanes = load<T>(d, from + i);
    if (!hn::AllFalse(d, none ? hn::Not(hn::Eq(lanes, lanes)) : hn::Eq(lanes, same))) break;
  }
  const auto is_it = [&](Lane<T> lane) {
    return none ? lane != lane : lane == value;
  };  // NOLINT(misc-redundant-expression)
  while (!is_it(one<T>(from[i]))) ++i;
  return static_cast<std::int64_t>(i);
}

template <class T>
SumOf<T> sum_row(const T* from, std::int64_t n) {
  if constexpr (std::is_floating_point_v<T>) return float_sum(from, n);
  if constexpr (std::is_same_v<T, std::int64_t>) return word_sum(from, n);
  if constexpr (std::is_same_v<T, std::int32_t>) return int_sum(from, n);
  if constexpr (std::is_same_v<T, bool>) return bool_sum(from, n);
}

template <class T>
constexpr Reductions<T> kReductions{
    sum_row<T>,         add_rows<T>,         extreme_of_row<true, T>, extreme_of_row<false, T>,
    take_rows<true, T>, take_rows<false, T>, find_in_row<T>};

const Reductions<float>* reductions_of_float() { return &kReductions<float>; }
const Reductions<double>* reductions_of_double() { return &kReductions<double>; }
const Reductions<std::int64_t>* reductions_of_int64() { return &kReductions<std::int64_t>; }
const Reductions<std::int32_t>* reductions_of_int32() { return &kReductions<std::int32_t>; }
const Reductions<bool>* reductions_of_bool() { return &kReductions<bool>; }

}  // namespace plumbline::optimized::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumbline::optimized::simd {

HWY_EXPORT(reductions_of_float);
HWY_EXPORT(reductions_of_double);
HWY_EXPORT(reductions_of_int64);
HWY_EXPORT(reductions_of_int32);
HWY_EXPORT(reductions_of_bool);

template <>
const Reductions<float>& reductions() {
  static const Reductions<float>* const chosen = HWY_DYNAMIC_DISPATCH(reductions_of_float)();
  return *chosen;
}
template <>
const Reductions<double>& reductions() {
  static const Reductions<double>* const chosen = HWY_DYNAMIC_DISPATCH(reductions_of_double)();
  return *chosen;
}
template <>
const Reductions<std::int64_t>& reductions() {
  static const Reductions<std::int64_t>* const chosen = HWY_DYNAMIC_DISPATCH(reductions_of_int64)();
  return *chosen;
}
template <>
const Reductions<std::int32_t>& reductions() {
  static const Reductions<std::int32_t>* const chosen = HWY_DYNAMIC_DISPATCH(reductions_of_int32)();
  return *chosen;
}
template <>
const Reductions<bool>& reductions() {
  static const Reductions<bool>* const chosen = HWY_DYNAMIC_DISPATCH(reductions_of_bool)();
  return *chosen;
}

}  // namespace plumbline::optimized::simd
#endif
