// Products of small matrices, compiled for each instruction set.
#include "optimized/cpu/simd_product.h"

#include <array>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/cpu/simd_product.cpp"
// Between SSE2, which each x86 has, and AVX2 there is nothing to gain.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plumbline::optimized::simd::HWY_NAMESPACE {  // NOLINT(google-build-namespaces): one for each target

namespace hn = hwy::HWY_NAMESPACE;

/// What `added` has for the elements from (i, j) on.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> addend_at(D d, const Addend<T>& added, std::int64_t i, std::int64_t j) {
  const Matrix<const T>& from = added.matrix;
  const T* const at = from.data + i * from.row_step + j * from.column_step;
  if (from.column_step == 1) return hn::Mul(hn::Set(d, added.factor), hn::LoadU(d, at));
  std::array<T, hn::MaxLanes(d)> room;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled in the next line
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
    room[lane] = at[static_cast<std::int64_t>(lane) * from.column_step];
  return hn::Mul(hn::Set(d, added.factor), hn::LoadU(d, room.data()));
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void put(D d, hn::Vec<D> sum, const Matrix<T>& out, T factor, const Addend<T>& added, std::int64_t i,
                    std::int64_t j) {
  if (factor != 1) sum = hn::Mul(hn::Set(d, factor), sum);
  if (added.factor != 0) sum = hn::Add(sum, addend_at(d, added, i, j));
  hn::StoreU(sum, d, out.data + i * out.row_step + j);
}

/// One product of each of `rows` rows, which stand at `left`, and of the columns from `j` on. `right` has its columns
/// side by side.
template <std::size_t rows, class D, class T = hn::TFromD<D>>
HWY_INLINE void columns_of(D d, const Matrix<T>& out, T factor, const Matrix<const T>& left,
                           const Matrix<const T>& right, const Addend<T>& added, std::int64_t i, std::int64_t j) {
  static_assert(rows == 1 || rows == 4);
  auto sum0 = hn::Zero(d);
  auto sum1 = hn::Zero(d);
  auto sum2 = hn::Zero(d);
  auto sum3 = hn::Zero(d);
  const T* at = left.data + i * left.row_step;
  const T* row = right.data + j;
  for (std::int64_t p = 0; p < right.rows; ++p, at += left.column_step, row += right.row_step) {
    const auto b = hn::LoadU(d, row);
    sum0 = hn::MulAdd(hn::Set(d, at[0]), b, sum0);
    if constexpr (rows == 4) {
      sum1 = hn::MulAdd(hn::Set(d, at[left.row_step]), b, sum1);
      sum2 = hn::MulAdd(hn::Set(d, at[2 * left.row_step]), b, sum2);
      sum3 = hn::MulAdd(hn::Set(d, at[3 * left.row_step]), b, sum3);
    }
  }
  put(d, sum0, out, factor, added, i, j);
  if constexpr (rows == 4) {
    put(d, sum1, out, factor, added, i + 1, j);
    put(d, sum2, out, factor, added, i + 2, j);
    put(d, sum3, out, factor, added, i + 3, j);
  }
}

/// Columns from `j` on, as many at once as `d` has lanes; returns where it ends.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE std::int64_t run_columns(D d, const Matrix<T>& out, T factor, const Matrix<const T>& left,
                                    const Matrix<const T>& right, const Addend<T>& added, std::int64_t j) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; j + lanes <= out.columns; j += lanes) {
    std::int64_t i = 0;
    for (; i + 4 <= out.rows; i += 4) columns_of<4>(d, out, factor, left, right, added, i, j);
    for (; i < out.rows; ++i) columns_of<1>(d, out, factor, left, right, added, i, j);
  }
  return j;
}

#if HWY_TARGET != HWY_SCALAR
/// Four columns of four numbers, `step` apart, as rows of `room`.
HWY_INLINE void transpose(const float* from, std::int64_t step, float* room) {
  const hn::CappedTag<float, 4> d;
  const auto a = hn::LoadU(d, from);
  const auto b = hn::LoadU(d, from + step);
  const auto c = hn::LoadU(d, from + 2 * step);
  const auto e = hn::LoadU(d, from + 3 * step);
  const auto lower_ac = hn::InterleaveLower(d, a, c);
  const auto upper_ac = hn::InterleaveUpper(d, a, c);
  const auto lower_be = hn::InterleaveLower(d, b, e);
  const auto upper_be = hn::InterleaveUpper(d, b, e);
  hn::StoreU(hn::InterleaveLower(d, lower_ac, lower_be), d, room);
  hn::StoreU(hn::InterleaveUpper(d, lower_ac, lower_be), d, room + kMostColumns);
  hn::StoreU(hn::InterleaveLower(d, upper_ac, upper_be), d, room + 2 * kMostColumns);
  hn::StoreU(hn::InterleaveUpper(d, upper_ac, upper_be), d, room + 3 * kMostColumns);
}
/// The same for all columns of `right` and groups of four rows; returns how many columns.
HWY_INLINE std::int64_t transpose_fours(const Matrix<const float>& right, float* room) {
  const std::int64_t columns = right.row_step == 1 ? right.columns / 4 * 4 : 0;
  for (std::int64_t j = 0; j < columns; j += 4)
    for (std::int64_t p = 0; p + 4 <= right.rows; p += 4)
      transpose(right.data + p + j * right.column_step, right.column_step, room + p * kMostColumns + j);
  return columns;
}
#endif
template <class T>
std::int64_t transpose_fours(const Matrix<const T>&, T*) {
  return 0;
}

/// The right matrix with its columns side by side, in `room`.
template <class T>
HWY_INLINE Matrix<const T> rows_of(const Matrix<const T>& right, T* room) {
  const std::int64_t done = transpose_fours(right, room);
  for (std::int64_t j = 0; j < right.columns; ++j)
    for (std::int64_t p = j < done ? right.rows / 4 * 4 : 0; p < right.rows; ++p)
      room[p * kMostColumns + j] = right.data[p * right.row_step + j * right.column_step];
  return {room, right.rows, right.columns, kMostColumns, 1};
}

template <class T>
void multiply_any(const Matrix<T>& out, T factor, const Matrix<const T>& left, const Matrix<const T>& given,
                  const Addend<T>& added) {
  std::array<T, kMostInner * kMostColumns> room;  // NOLINT(cppcoreguidelines-pro-type-member-init): rows_of fills it
  const Matrix<const T> right = given.column_step == 1 ? given : rows_of(given, room.data());
  std::int64_t j = run_columns(hn::CappedTag<T, 16>(), out, factor, left, right, added, 0);
  if (hn::Lanes(hn::ScalableTag<T>()) > 8) j = run_columns(hn::CappedTag<T, 8>(), out, factor, left, right, added, j);
  if (hn::Lanes(hn::ScalableTag<T>()) > 4) j = run_columns(hn::CappedTag<T, 4>(), out, factor, left, right, added, j);
  run_columns(hn::CappedTag<T, 1>(), out, factor, left, right, added, j);
}

void multiply_floats(const Matrix<float>& out, float factor, const Matrix<const float>& left,
                     const Matrix<const float>& right, const Addend<float>& added) {
  multiply_any(out, factor, left, right, added);
}
void multiply_doubles(const Matrix<double>& out, double factor, const Matrix<const double>& left,
                      const Matrix<const double>& right, const Addend<double>& added) {
  multiply_any(out, factor, left, right, added);
}

}  // namespace plumbline::optimized::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumbline::optimized::simd {

HWY_EXPORT(multiply_floats);
HWY_EXPORT(multiply_doubles);

template <>
void multiply_small(const Matrix<float>& out, float factor, const Matrix<const float>& left,
                    const Matrix<const float>& right, const Addend<float>& added) {
  HWY_DYNAMIC_DISPATCH(multiply_floats)(out, factor, left, right, added);
}
template <>
void multiply_small(const Matrix<double>& out, double factor, const Matrix<const double>& left,
                    const Matrix<const double>& right, const Addend<double>& added) {
  HWY_DYNAMIC_DISPATCH(multiply_doubles)(out, factor, left, right, added);
}

}  // namespace plumbline::optimized::simd
#endif
