// Matrix products by OpenBLAS, which is loaded when it is first needed, and works on the thread that calls it.
#pragma once

#include <cstdint>

namespace plumbline::optimized::blas {

/// OpenBLAS's integers.
using Int = std::int32_t;

/// Raises if it cannot be loaded; otherwise the first product would raise half-way.
void load();

/// A matrix as BLAS reads it: rows (or columns, if transposed) without gaps between their elements, `step` apart.
template <class T>
struct Operand {
  const T* data = nullptr;
  bool turned = false;
  Int step = 1;
};

/// c = a @ b, of row-major c, for float and double.
template <class T>
void gemm(Int rows, Int columns, Int inner, const Operand<T>& a, const Operand<T>& b, T* c, Int step);

/// y = a @ x, where a has `rows` and `columns`.
template <class T>
void gemv(Int rows, Int columns, const Operand<T>& a, const T* x, Int x_step, T* y, Int y_step);

}  // namespace plumbline::optimized::blas
