// Products of matrices in memory, whatever their strides.
#pragma once

#include <cstdint>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// A matrix somewhere in memory: element (i, j) stands at `data[i * row_step + j * column_step]`.
template <class T>
struct Matrix {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;

  Matrix transposed() const { return {data, columns, rows, column_step, row_step}; }
};

/// What is added to a product: `factor * matrix`, of the result's sizes; a factor of 0 drops it, not-a-number included.
template <class T>
struct Addend {
  T factor = 0;
  Matrix<const T> matrix;
};

/// out = factor * (left @ right) + added, of any dtype's elements; integers wrap, and bools have `and` and `or`. A
/// factor of 0 drops the product, not-a-number included. `out` shares no memory with what is read; a step of a
/// dimension of size 1 may be anything.
template <class T>
void multiply(const Matrix<T>& out, T factor, const Matrix<const T>& left, const Matrix<const T>& right,
              const Addend<T>& added);

/// The last two dimensions of `tensor`; if it has three, at `index` of the first.
template <class T>
[[gnu::always_inline]] inline Matrix<T> matrix_of(const Tensor& tensor, std::int64_t index = 0) {
  const int d = tensor.dim() - 2;
  T* const data = tensor.data<std::remove_const_t<T>>() + (d == 1 ? index * tensor.stride(0) : 0);
  return {data, tensor.size(d), tensor.size(d + 1), tensor.stride(d), tensor.stride(d + 1)};
}

}  // namespace plumbline::optimized
