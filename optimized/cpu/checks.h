// What kernels check before they write or make anything, and the sizes and dtypes of what they make.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "optimized/ops/boxed.h"
#include "optimized/tensor/dim_vector.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Raises that `dim` is not one of `n` dimensions.
[[noreturn]] void raise_dim_range(std::int64_t dim, int n);
/// `dim` from the front, of a tensor of `rank` dimensions (one without any counts as of one); raises dim_range.
inline int wrapped_dim(std::int64_t dim, int rank) {
  const int n = rank == 0 ? 1 : rank;
  if (dim < -n || dim >= n) [[unlikely]]
    raise_dim_range(dim, n);
  return static_cast<int>(dim < 0 ? dim + n : dim);
}

/// What two sizes broadcast to [aten/src/ATen/ExpandUtils.cpp, infer_size]; raises shape.
DimVector broadcast_sizes(IntList a, IntList b);

/// Raises shape if a written tensor that may not be resized has other sizes than the result.
void check_output_sizes(IntList out, IntList sizes);

/// The dtype in which operands meet: a tensor with dimensions outranks one without, and that one a number, unless the
/// lower's kind is higher [aten/src/ATen/native/TypeProperties.cpp, result_type].
Dtype result_type(const Tensor& a, const Tensor& b);
Dtype result_type(TensorList tensors);
/// The same with a tensor and a number.
Dtype result_type(const Tensor& a, Scalar b);

/// Whether a value of one dtype may be written into a tensor of another: floats not into integers, numbers not into
/// bools [c10/core/ScalarType.h, canCast]; raises dtype_cast.
void check_cast(Dtype from, Dtype to);

/// Whether a dimension of stride 0 has a size above 1, and none has size 0: what PyTorch sees of elements that share
/// memory [aten/src/ATen/MemoryOverlap.cpp, has_internal_overlap].
bool repeats_elements(IntList sizes, IntList strides);
/// Raises overlap_internal if the tensor repeats elements.
void check_internal_overlap(const Tensor& written);
/// Raises overlap_partial if both are dense and share some of their memory, but are not the same elements in the same
/// places [MemoryOverlap.cpp, get_overlap_status].
void check_partial_overlap(const Tensor& written, const Tensor& input);
/// The same, but also if they are the same elements, for ops that read an element late or more than once
/// [assert_no_overlap].
void check_overlap(const Tensor& written, const Tensor& input);

/// Whether the elements lie without gaps, each at a place of its own, in whatever order
/// [c10/core/TensorImpl.h, is_non_overlapping_and_dense]; of no elements always.
bool is_dense(IntList sizes, IntList strides);

/// Sorts dimensions by `after(a, b)`: 1 if a comes after b, -1 if it stays before it, 0 if it does not matter
/// [TensorIterator.cpp, reorder_dimensions].
template <class After>
void sort_dims(DimVector& order, const After& after) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t moved = i;
    for (std::size_t before = i; before-- > 0;) {
      const int is = after(static_cast<std::size_t>(order[before]), static_cast<std::size_t>(order[moved]));
      if (is < 0) break;
      if (is == 0) continue;
      std::swap(order[before], order[moved]);
      moved = before;
    }
  }
}

/// The strides that `clone` gives: the tensor's own where its elements are dense and do not overlap, else those of the
/// nearest layout, in the order of its strides [aten/src/ATen/ExpandUtils.cpp, infer_dense_strides].
DimVector dense_strides(IntList sizes, IntList strides);
DimVector row_major_strides(IntList sizes);

/// A number as `dtype` must hold it for fill_, full and the like; raises number_cast if it cannot.
Scalar checked_number(Scalar number, Dtype dtype);

/// Gives `out` these `sizes`: if it has others, its storage grows as needed and its strides become `strides` (row-major
/// if there are none). Everything that can be wrong with `out` was checked before.
void resize_output(const Tensor& out, IntList sizes, IntList strides = {});

/// The name of a dtype in PyTorch's messages: "Float", "Long".
const char* scalar_name(Dtype dtype);
/// Sizes as PyTorch prints them: "[2, 3]".
std::string printed(IntList sizes);

}  // namespace plumbline::optimized
