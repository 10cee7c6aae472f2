// Products of matrices: floats by a library of BLAS, whatever their strides; integers and bools by a kernel.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/places.h"
#include "optimized/cuda/reduce.h"
#include "optimized/elements/computed.h"
#include "optimized/elements/primitives.h"
#include "optimized/tensor/device_memory.h"

namespace plumbline::optimized::cuda {

/// A matrix as BLAS gets it: by columns, `step` elements apart, each without gaps; or the same of its transpose.
struct BlasMatrix {
  std::byte* data = nullptr;
  std::int64_t step = 1;
  bool turned = false;
};

/// c = alpha · (a @ b) + beta · c in floats of `dtype`, where c has `rows` and `columns`, and is not turned. If beta is
/// 0, c is not read. No size is 0.
struct Gemm {
  Dtype dtype = Dtype::float32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t inner = 0;
  double alpha = 1;
  BlasMatrix a;
  BlasMatrix b;
  double beta = 0;
  BlasMatrix c;
};

inline MatrixOperand turned(const MatrixOperand& matrix) {
  return {matrix.data, matrix.columns, matrix.rows, matrix.column_step, matrix.row_step};
}

/// The matrix by columns, if it stands so in memory. A step of a dimension of size 1 may be anything.
inline std::optional<BlasMatrix> by_columns(const MatrixOperand& matrix) {
  const std::int64_t least = std::max<std::int64_t>(matrix.rows, 1);
  const std::int64_t step = matrix.columns <= 1 ? least : matrix.column_step;
  if (step < least || (matrix.rows > 1 && matrix.row_step != 1)) return std::nullopt;
  return BlasMatrix{matrix.data, step, false};
}
/// The same by columns or by rows.
inline std::optional<BlasMatrix> by_either(const MatrixOperand& matrix) {
  if (const auto found = by_columns(matrix)) return found;
  auto found = by_columns(turned(matrix));
  if (found) found->turned = true;
  return found;
}

/// A thread for each element of the result, which adds up its products in their order.
template <class T>
struct Product {
  Places<3> places;  ///< of the result, of the first of the left row, and of the first of the right column
  T* out = nullptr;
  const T* left = nullptr;
  const T* right = nullptr;
  std::int64_t inner = 0;
  std::int64_t left_step = 0;
  std::int64_t right_step = 0;
  T factor;
  bool keeps = false;  ///< what is there already is added

  PLUMBLINE_HOST_DEVICE std::uint32_t count() const { return places.count; }
  PLUMBLINE_HOST_DEVICE void one(std::uint32_t i) const {
    const Steps<3> at = places.at(i);
    T sum = keeps ? out[at[0]] : T(0);
    for (std::int64_t p = 0; p < inner; ++p) {
      const T scaled = computed<Arithmetic::mul>(factor, element(left, at[1] + p * left_step));
      sum = computed<Arithmetic::add>(sum, computed<Arithmetic::mul>(scaled, element(right, at[2] + p * right_step)));
    }
    out[at[0]] = sum;
  }
};

/// Memory of the device for a scope. Work that was started may still use it after the scope: it is used again in the
/// order of the calls.
class DeviceScratch {
 public:
  explicit DeviceScratch(std::size_t bytes) : bytes_(bytes), data_(memory_of(Backend::CUDA).allocate(bytes)) {}
  ~DeviceScratch() { memory_of(Backend::CUDA).release(data_, bytes_); }
  DeviceScratch(const DeviceScratch&) = delete;
  DeviceScratch& operator=(const DeviceScratch&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::size_t bytes_;
  std::byte* data_;
};

}  // namespace plumbline::optimized::cuda
