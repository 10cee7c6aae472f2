// Where the elements of a view lie: the sizes, strides and offset that a view op gives.
#pragma once

#include <cstdint>
#include <optional>

#include "optimized/tensor/dim_vector.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Sizes and strides, of one length, and an offset in elements.
struct Layout {
  DimVector sizes;
  DimVector strides;
  std::int64_t offset = 0;

  /// The tensor's own.
  static Layout of(const Tensor& tensor) { return {tensor.sizes(), tensor.strides(), tensor.offset()}; }
};

/// A tensor that shares memory with `self` in this layout [tensor.h, alias_of].
Tensor view_of(const Tensor& self, const Layout& layout);

/// What `slice` makes of one dimension; `skipped`: how many places of memory lie before it.
struct Slice {
  int dim;
  std::int64_t length;
  std::int64_t stride;
  std::int64_t skipped;
};
/// Raises what slice raises.
Slice slice_of(const Tensor& self, std::int64_t dim, const std::optional<std::int64_t>& start,
               const std::optional<std::int64_t>& end, std::int64_t step);

/// What `select` takes: a dimension that goes, and where the rest begins.
struct Selected {
  int dim;
  std::int64_t offset;
};
/// Raises what select raises.
Selected selected_of(const Tensor& self, std::int64_t dim, std::int64_t index);

/// A product of a size and a stride. It may wrap in 64 bits, because there is never an element there.
constexpr std::int64_t stride_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// Each is the result of the op of its name [aten/src/ATen/native/TensorShape.cpp], and raises what the op raises.
Layout select_layout(const Tensor& self, std::int64_t dim, std::int64_t index);
Layout transpose_layout(const Tensor& self, std::int64_t dim0, std::int64_t dim1);
/// `name`: "t" or "t_", for the message.
Layout t_layout(const Tensor& self, const char* name);
Layout permute_layout(const Tensor& self, IntList dims);
Layout expand_layout(const Tensor& self, IntList size);
Layout squeeze_layout(const Tensor& self);
Layout squeeze_dim_layout(const Tensor& self, std::int64_t dim);
Layout unsqueeze_layout(const Tensor& self, std::int64_t dim);
Layout diagonal_layout(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2);
Layout unfold_layout(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step);
Layout as_strided_layout(const Tensor& self, IntList size, IntList stride, std::optional<std::int64_t> offset);
Layout view_layout(const Tensor& self, IntList size);
/// Of the same bytes as elements of `dtype` [TensorConversions.cpp, view_dtype].
Layout retyped_layout(const Tensor& self, Dtype dtype);

/// `shape` with its -1 filled in, for this number of elements [aten/src/ATen/InferSize.h].
DimVector inferred_sizes(IntList shape, std::int64_t numel);
/// The strides with which a tensor's memory has `sizes`, of as many elements, without moving any; nothing if there are
/// no such strides [aten/src/ATen/TensorUtils.cpp, computeStride].
std::optional<DimVector> view_strides(const Tensor& self, IntList sizes);

}  // namespace plumbline::optimized
