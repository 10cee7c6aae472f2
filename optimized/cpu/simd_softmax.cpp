// Softmax of elements in a row, compiled for each instruction set.
#include <cstddef>

#include "optimized/cpu/simd_reduce.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/cpu/simd_softmax.cpp"
// Between SSE2, which each x86 has, and AVX2 there is nothing to gain.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After foreach_target.h, which says for which target.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace plumbline::optimized::simd::HWY_NAMESPACE {  // NOLINT(google-build-namespaces): one for each target

namespace hn = hwy::HWY_NAMESPACE;

/// exp(x - m); not-a-number stays, which Highway's Exp does not promise.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power(D d, V x, V largest) {
  const auto below = hn::Sub(x, largest);
  return hn::IfThenElse(hn::Eq(below, below), hn::Exp(d, below), below);
}

/// From element `i` on, as many as `d` has lanes at a time; returns where it ends.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE std::size_t raise_from(D d, T* row, std::size_t i, std::size_t n, T largest) {
  const auto m = hn::Set(d, largest);
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) hn::StoreU(power(d, hn::LoadU(d, row + i), m), d, row + i);
  return i;
}
template <class D, class T = hn::TFromD<D>>
HWY_INLINE std::size_t multiply_from(D d, T* row, std::size_t i, std::size_t n, T factor) {
  const auto by = hn::Set(d, factor);
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) hn::StoreU(hn::Mul(hn::LoadU(d, row + i), by), d, row + i);
  return i;
}

template <class T>
void softmax_of(T* row, std::int64_t length) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto n = static_cast<std::size_t>(length);
  const T largest = reductions<T>().largest(row, length);
  raise_from(one, row, raise_from(d, row, 0, n, largest), n, largest);
  const T share = T(1) / static_cast<T>(reductions<T>().sum(row, length));
  multiply_from(one, row, multiply_from(d, row, 0, n, share), n, share);
}

void softmax_of_floats(float* row, std::int64_t n) { softmax_of(row, n); }
void softmax_of_doubles(double* row, std::int64_t n) { softmax_of(row, n); }

}  // namespace plumbline::optimized::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumbline::optimized::simd {

HWY_EXPORT(softmax_of_floats);
HWY_EXPORT(softmax_of_doubles);

template <>
void softmax(float* row, std::int64_t n) {
  HWY_DYNAMIC_DISPATCH(softmax_of_floats)(row, n);
}
template <>
void softmax(double* row, std::int64_t n) {
  HWY_DYNAMIC_DISPATCH(softmax_of_doubles)(row, n);
}

}  // namespace plumbline::optimized::simd
#endif
