// Products of matrices: small ones here, floats by OpenBLAS, integers by plain loops.
#include "optimized/cpu/product.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "optimized/cpu/blas.h"
#include "optimized/cpu/parallel.h"
#include "optimized/cpu/scratch.h"
#include "optimized/cpu/simd.h"
#include "optimized/cpu/simd_product.h"
#include "optimized/elements/elements.h"

namespace plumbline::optimized {

namespace {

/// A copy of a matrix, row-major, in memory of its own.
template <class T>
class Packed {
 public:
  Packed(std::int64_t rows, std::int64_t columns)
      : room_(rows * columns), matrix_{room_.data(), rows, columns, columns, 1} {}
  explicit Packed(const Matrix<const T>& from) : Packed(from.rows, from.columns) { copy(matrix_, from); }

  const Matrix<T>& matrix() const { return matrix_; }
  Matrix<const T> read() const { return {matrix_.data, matrix_.rows, matrix_.columns, matrix_.row_step, 1}; }

  static void copy(const Matrix<T>& to, const Matrix<const T>& from) {
    for (std::int64_t i = 0; i < from.rows; ++i)
      for (std::int64_t j = 0; j < from.columns; ++j)
        to.data[i * to.row_step + j * to.column_step] = from.data[i * from.row_step + j * from.column_step];
  }

 private:
  Scratch<T> room_;
  Matrix<T> matrix_;
};

/// Integers are multiplied and added without their sign, which wraps.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

template <class T>
T times(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return a && b;
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}
template <class T>
T plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return a || b;
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}

/// out = added.
template <class T>
void begin(const Matrix<T>& out, const Addend<T>& added) {
  const Matrix<const T>& from = added.matrix;
  const bool side_by_side = out.column_step == 1 && from.column_step == 1;
  for (std::int64_t i = 0; i < out.rows; ++i) {
    T* const to = out.data + i * out.row_step;
    const T* const row = from.data + i * from.row_step;
    if (added.factor == 1 && side_by_side) {
      std::memcpy(to, row, static_cast<std::size_t>(out.columns) * sizeof(T));
    } else {
      for (std::int64_t j = 0; j < out.columns; ++j) {
        const T* const one = row + j * from.column_step;
        to[j * out.column_step] =
            added.factor == 0 ? T(0) : times(added.factor, loaded<T>(reinterpret_cast<const std::byte*>(one)));
      }
    }
  }
}

/// out += factor * (left @ right), in the order of memory of row-major matrices.
template <class T>
void add_plainly(const Matrix<T>& out, T factor, const Matrix<const T>& left, const Matrix<const T>& right) {
  for (std::int64_t i = 0; i < out.rows; ++i) {
    for (std::int64_t p = 0; p < left.columns; ++p) {
      const T from_left = times(factor, left.data[i * left.row_step + p * left.column_step]);
      const T* const row = right.data + p * right.row_step;
      T* const to = out.data + i * out.row_step;
      for (std::int64_t j = 0; j < out.columns; ++j) {
        T& sum = to[j * out.column_step];
        sum = plus(sum, times(from_left, row[j * right.column_step]));
      }
    }
  }
}

constexpr std::int64_t kMostInBlas = std::numeric_limits<blas::Int>::max();

bool fits(std::int64_t size) { return size <= kMostInBlas; }

/// Whether rows follow one another, each without gaps: what BLAS calls row-major.
template <class T>
bool has_rows(const Matrix<T>& matrix) {
  const bool dense = matrix.column_step == 1 || matrix.columns == 1;
  const bool apart = matrix.rows == 1 || (matrix.row_step >= matrix.columns && fits(matrix.row_step));
  return dense && apart;
}
template <class T>
blas::Int step_of(const Matrix<T>& matrix) {
  return static_cast<blas::Int>(matrix.rows == 1 ? matrix.columns : matrix.row_step);
}

/// Whether BLAS reads it as it is, by rows or by columns.
template <class T>
bool is_operand(const Matrix<T>& matrix) {
  return has_rows(matrix) || has_rows(matrix.transposed());
}
template <class T>
blas::Operand<T> operand_of(const Matrix<const T>& matrix) {
  if (has_rows(matrix)) return {matrix.data, false, step_of(matrix)};
  return {matrix.data, true, step_of(matrix.transposed())};
}

/// Whether BLAS takes it as a vector: in steps of at least one.
template <class T>
bool is_vector(const Matrix<T>& column) {
  return column.columns == 1 && (column.rows == 1 || (column.row_step > 0 && fits(column.row_step)));
}
template <class T>
blas::Int vector_step(const Matrix<T>& column) {
  return static_cast<blas::Int>(column.rows == 1 ? 1 : column.row_step);
}

/// out = left @ right, like everything below.
template <class T>
void call_blas(const Matrix<T>& out, const Matrix<const T>& left, const Matrix<const T>& right) {
  if (out.rows == 0 || out.columns == 0) return;
  const auto rows = static_cast<blas::Int>(out.rows);
  const auto inner = static_cast<blas::Int>(left.columns);
  if (is_vector(out) && is_vector(right))
    return blas::gemv(rows, inner, operand_of(left), right.data, vector_step(right), out.data, vector_step(out));
  blas::gemm(rows, static_cast<blas::Int>(out.columns), inner, operand_of(left), operand_of(right), out.data,
             step_of(out));
}

/// With fewer products, another thread costs more than it saves.
constexpr double kSharedProducts = 1e6;
/// The same if each number of a matrix is used once.
constexpr double kSharedByVector = 1e5;

/// Rows, or columns, [begin, end).
template <class T>
Matrix<T> rows_of(Matrix<T> matrix, std::int64_t begin, std::int64_t end) {
  matrix.data += begin * matrix.row_step;
  matrix.rows = end - begin;
  return matrix;
}
template <class T>
Matrix<T> columns_of(const Matrix<T>& matrix, std::int64_t begin, std::int64_t end) {
  return rows_of(matrix.transposed(), begin, end).transposed();
}

/// On several threads if that is worth it.
template <class T>
void call_shared(const Matrix<T>& out, const Matrix<const T>& left, const Matrix<const T>& right) {
  const double products =
      static_cast<double>(out.rows) * static_cast<double>(out.columns) * static_cast<double>(left.columns);
  if (products < (out.columns == 1 ? kSharedByVector : kSharedProducts)) return call_blas(out, left, right);
  if (out.rows >= out.columns)
    return share(out.rows, [&](std::int64_t begin, std::int64_t end) {
      call_blas(rows_of(out, begin, end), rows_of(left, begin, end), right);
    });
  share(out.columns, [&](std::int64_t begin, std::int64_t end) {
    call_blas(columns_of(out, begin, end), left, columns_of(right, begin, end));
  });
}

template <class T>
void multiply_by_blas(const Matrix<T>& out, const Matrix<const T>& left, const Matrix<const T>& right) {
  if (!is_operand(left)) return multiply_by_blas(out, Packed<T>(left).read(), right);
  if (!is_operand(right)) return multiply_by_blas(out, left, Packed<T>(right).read());
  const bool by_columns = has_rows(out.transposed()) && (!has_rows(out) || out.rows == 1);
  if (by_columns) return call_shared(out.transposed(), right.transposed(), left.transposed());
  if (has_rows(out)) return call_shared(out, left, right);
  const Packed<T> result(out.rows, out.columns);
  call_shared(result.matrix(), left, right);
  Packed<T>::copy(out, result.read());
}

/// row = factor * row + added.factor * from, of n numbers.
template <class T>
void finish_row(T* row, T factor, const Addend<T>& added, const T* from, std::int64_t n) {
  const simd::Loops<T>& loops = simd::loops<T>();
  const std::int64_t step = added.matrix.column_step;
  if (factor != 1) loops.mul.second_is_one(row, &factor, row, n);
  if (added.factor == 0) return;
  if (step == 1) return loops.add_scaled.rows(row, from, added.factor, row, n);
  if (step == 0) return loops.add_scaled.second_is_one(row, from, added.factor, row, n);
  for (std::int64_t j = 0; j < n; ++j) row[j] += added.factor * from[j * step];
}

/// The library only multiplies: if it also scaled or added, it would round in between.
template <class T>
void finish(const Matrix<T>& out, T factor, const Addend<T>& added) {
  if (factor == 1 && added.factor == 0) return;
  if (out.columns == 1 && out.rows != 1)
    return finish(out.transposed(), factor, {added.factor, added.matrix.transposed()});
  const Matrix<const T>& from = added.matrix;
  for (std::int64_t i = 0; i < out.rows; ++i) {
    T* const to = out.data + i * out.row_step;
    const T* const row = from.data + i * from.row_step;
    if (out.column_step == 1) {
      finish_row(to, factor, added, row, out.columns);
    } else {
      for (std::int64_t j = 0; j < out.columns; ++j) {
        const T more = added.factor == 0 ? T(0) : added.factor * row[j * from.column_step];
        to[j * out.column_step] = factor * to[j * out.column_step] + more;
      }
    }
  }
}

template <class T>
void multiply_floats(const Matrix<T>& out, T factor, const Matrix<const T>& left, const Matrix<const T>& right,
                     const Addend<T>& added) {
  if (simd::is_small(left, right) && (out.column_step == 1 || out.columns == 1))
    return simd::multiply_small(out, factor, left, right, added);
  if (fits(out.rows) && fits(out.columns) && fits(left.columns)) {
    blas::load();
    multiply_by_blas(out, left, right);
    finish(out, factor, added);
  } else {
    begin(out, added);
    add_plainly(out, factor, left, right);
  }
}

}  // namespace

template <class T>
void multiply(const Matrix<T>& out, T factor, const Matrix<const T>& left, const Matrix<const T>& right,
              const Addend<T>& added) {
  if (out.rows == 0 || out.columns == 0) return;
  if (factor == 0 || left.columns == 0) return begin(out, added);
  if constexpr (std::is_floating_point_v<T>) {
    multiply_floats(out, factor, left, right, added);
  } else {
    begin(out, added);
    add_plainly(out, factor, left, right);
  }
}

template void multiply(const Matrix<float>&, float, const Matrix<const float>&, const Matrix<const float>&,
                       const Addend<float>&);
template void multiply(const Matrix<double>&, double, const Matrix<const double>&, const Matrix<const double>&,
                       const Addend<double>&);
template void multiply(const Matrix<std::int64_t>&, std::int64_t, const Matrix<const std::int64_t>&,
                       const Matrix<const std::int64_t>&, const Addend<std::int64_t>&);
template void multiply(const Matrix<bool>&, bool, const Matrix<const bool>&, const Matrix<const bool>&,
                       const Addend<bool>&);
template void multiply(const Matrix<std::int32_t>&, std::int32_t, const Matrix<const std::int32_t>&,
                       const Matrix<const std::int32_t>&, const Addend<std::int32_t>&);

}  // namespace plumbline::optimized
