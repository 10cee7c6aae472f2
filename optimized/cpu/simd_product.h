// Products of matrices so small that calling a library costs more than the arithmetic.
#pragma once

#include <cstdint>

#include "optimized/cpu/product.h"

namespace plumbline::optimized::simd {

/// The most rows, inner products and columns.
inline constexpr std::int64_t kMostRows = 32;
inline constexpr std::int64_t kMostInner = 16;
inline constexpr std::int64_t kMostColumns = 16;

template <class T>
bool is_small(const Matrix<const T>& left, const Matrix<const T>& right) {
  return right.columns <= kMostColumns && right.rows <= kMostInner && left.rows <= kMostRows;
}

/// As optimized::multiply, of float and double, if is_small and the factor is not 0.
template <class T>
void multiply_small(const Matrix<T>& out, T factor, const Matrix<const T>& left, const Matrix<const T>& right,
                    const Addend<T>& added);

}  // namespace plumbline::optimized::simd
