// The CPU's cat and stack.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/layout.h"
#include "optimized/cpu/outs.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// Whether the strides say that the channels, dimension 1, run fastest
/// [c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4 and …_3d_s5].
bool suggests_channels_last(IntList sizes, IntList strides) {
  constexpr std::array<std::size_t, 5> kOrder{1, 4, 3, 2, 0};
  if ((sizes.size() != 4 && sizes.size() != 5) || strides[1] == 0) return false;
  std::int64_t least = 0;
  for (const std::size_t d : kOrder) {
    if (d >= sizes.size()) continue;
    if (sizes[d] == 0 || strides[d] < least) return false;
    if (d == 0 && least == strides[1]) return false;  // it could be either
    least = stride_product(strides[d], sizes[d]);
  }
  return true;
}

DimVector joined_channels_last_strides(IntList sizes) {
  constexpr std::array<std::size_t, 5> kOrder{1, 4, 3, 2, 0};
  DimVector strides(sizes.size());
  std::int64_t stride = 1;
  for (const std::size_t d : kOrder) {
    if (d >= sizes.size()) continue;
    strides[d] = stride;
    stride = stride_product(stride, std::max<std::int64_t>(sizes[d], 1));
  }
  return strides;
}

/// The arguments of cat.
class Joining {
 public:
  /// Raises for an empty list, for a tensor without dimensions, and for a dimension out of range.
  Joining(TensorList tensors, std::int64_t dim) : tensors_(tensors) {
    if (tensors.empty())
      raise_saying(ErrorClass::range, "torch.cat(): expected a non-empty list of Tensors", "ValueError");
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].dim() == 0)
        raise_saying(ErrorClass::shape,
                     "zero-dimensional tensor (at position " + std::to_string(i) + ") cannot be concatenated");
    while (first_ < tensors.size() && is_skipped(tensors[first_])) ++first_;
    if (any()) dim_ = wrapped_dim(dim, tensors[first_].dim());
  }

  /// Whether there is a tensor that is not skipped.
  bool any() const { return first_ < tensors_.size(); }

  /// The result's sizes; raises if those of the tensors do not fit.
  DimVector sizes() const {
    if (!any()) return DimVector(1, 0);
    std::uint64_t extent = 0;
    for (std::size_t i = first_; i < tensors_.size(); ++i) {
      if (is_skipped(tensors_[i])) continue;
      check_fits(i);
      extent += static_cast<std::uint64_t>(tensors_[i].size(dim_));
    }
    DimVector sizes = tensors_[first_].sizes();
    sizes[static_cast<std::size_t>(dim_)] = static_cast<std::int64_t>(extent);  // negative where it wraps: refused then
    return sizes;
  }

  /// The result's strides: the channels are last where they are in every tensor
  /// [aten/src/ATen/native/TensorShape.cpp, cat_compute_output_memory_format].
  DimVector strides(IntList sizes) const {
    for (const Tensor& tensor : tensors_)
      if (tensor.sizes().size() != sizes.size() || !suggests_channels_last(tensor.sizes(), tensor.strides()))
        return row_major_strides(sizes);
    return joined_channels_last_strides(sizes);
  }

  /// Writes all of them into `out`, which has the sizes and perhaps other strides.
  void copy_into(const Tensor& out) const {
    if (!any() || out.numel() == 0) return;
    const std::int64_t item = item_size(out.dtype());
    const bool by_blocks = out.dtype() != Dtype::boolean && out.is_contiguous() && on_cpu();
    std::byte* to = Operand::of(out).data;
    for (std::size_t i = first_; i < tensors_.size(); ++i) {
      const Tensor& tensor = tensors_[i];
      if (is_skipped(tensor)) continue;
      if (by_blocks && tensor.dtype() == out.dtype() && tensor.is_contiguous()) {
        copy_blocks(tensor, out, to);
      } else {
        copy_elements(tensor.sizes(), {to, tensor.sizes(), out.strides(), out.dtype(), out.device()},
                      Operand::of(tensor));
      }
      to += tensor.size(dim_) * out.stride(dim_) * item;
    }
  }

 private:
  /// An empty tensor of one dimension fits with everything.
  static bool is_skipped(const Tensor& tensor) { return tensor.dim() == 1 && tensor.numel() == 0; }

  void check_fits(std::size_t i) const {
    const Tensor& first = tensors_[first_];
    const Tensor& other = tensors_[i];
    if (first.dim() != other.dim())
      raise_saying(ErrorClass::shape, "Tensors must have same number of dimensions: got " +
                                          std::to_string(first.dim()) + " and " + std::to_string(other.dim()));
    for (int d = 0; d < first.dim(); ++d)
      if (d != dim_ && first.size(d) != other.size(d))
        raise_saying(ErrorClass::shape, "Sizes of tensors must match except in dimension " + std::to_string(dim_) +
                                            ". Expected size " + std::to_string(first.size(d)) + " but got size " +
                                            std::to_string(other.size(d)) + " for tensor number " + std::to_string(i) +
                                            " in the list.");
  }

  /// Both row-major, of one dtype: the later dimensions are copied byte by byte.
  void copy_blocks(const Tensor& tensor, const Tensor& out, std::byte* to) const {
    if (tensor.numel() == 0) return;
    const std::int64_t item = item_size(out.dtype());
    std::int64_t inner = item;
    for (int d = dim_ + 1; d < out.dim(); ++d) inner *= out.size(d);
    const std::int64_t block = inner * tensor.size(dim_);
    const std::int64_t jump = inner * out.size(dim_);
    const std::byte* from = Operand::of(tensor).data;
    const std::byte* const end = from + tensor.numel() * item;
    for (; from != end; from += block, to += jump) std::memcpy(to, from, static_cast<std::size_t>(block));
  }

  TensorList tensors_;
  std::size_t first_ = 0;  ///< that is not skipped
  int dim_ = 0;
};

/// A fresh result.
Tensor joined(TensorList tensors, std::int64_t dim, Dtype dtype) {
  const Joining joining(tensors, dim);
  const DimVector sizes = joining.sizes();
  Tensor out = empty_strided(sizes, joining.strides(sizes), dtype);
  joining.copy_into(out);
  return out;
}

Tensor cat_kernel(TensorList tensors, std::int64_t dim) { return joined(tensors, dim, result_type(tensors)); }

void check_out_takes(const Tensor& out, Dtype joined) {
  const bool loses_fraction = is_floating(joined) && !is_floating(out.dtype());
  if (loses_fraction || (joined != Dtype::boolean && out.dtype() == Dtype::boolean))
    raise_saying(
        ErrorClass::dtype_cast,
        std::string("torch.cat(): input types can't be cast to the desired output type ") + scalar_name(out.dtype()),
        "TypeError");
}

const Tensor& cat_out_kernel(TensorList tensors, std::int64_t dim, const Tensor& out) {
  const Joining joining(tensors, dim);
  check_out_takes(out, result_type(tensors));
  const DimVector sizes = joining.sizes();
  const DimVector strides = joining.strides(sizes);
  if (joining.any()) check_out_overlap(out, sizes, strides, {tensors});
  resize_output(out, sizes, strides);
  joining.copy_into(out);
  return out;
}

/// Gives `joined` the sizes in which the dimension along which it was joined is split.
void split_joined(const Tensor& joined, IntList sizes) {
  const DimVector strides = *view_strides(joined, sizes);  // a dimension can always be split
  TensorImpl& impl = joined.impl();
  impl.set_dim(static_cast<int>(sizes.size()));
  std::copy(sizes.begin(), sizes.end(), impl.sizes());
  std::copy(strides.begin(), strides.end(), impl.strides());
}

DimVector with(IntList list, int at, std::int64_t value) {
  DimVector longer(list.size() + 1, value);
  const auto middle = list.begin() + at;
  std::copy(list.begin(), middle, longer.begin());
  std::copy(middle, list.end(), longer.begin() + at + 1);
  return longer;
}

/// The new dimension is the last: each tensor's elements stand apart by as many as there are tensors.
Tensor stacked_behind(TensorList tensors, Dtype dtype) {
  const int rank = tensors.front().dim();
  const auto count = static_cast<std::int64_t>(tensors.size());
  const DimVector sizes = with(tensors.front().sizes(), rank, count);
  const bool channels_last = std::ranges::all_of(tensors, [&](const Tensor& tensor) {
    return (rank == 3 || rank == 4) &&
           suggests_channels_last(with(tensor.sizes(), rank, 1), with(tensor.strides(), rank, 1));
  });
  Tensor out =
      empty_strided(sizes, channels_last ? joined_channels_last_strides(sizes) : row_major_strides(sizes), dtype);
  Operand to = Operand::of(out);
  const std::int64_t step = to.strides.back() * to.item();
  to.strides = to.strides.first(static_cast<std::size_t>(rank));
  for (const Tensor& tensor : tensors) {
    to.sizes = tensor.sizes();
    copy_elements(tensor.sizes(), to, Operand::of(tensor));
    to.data += step;
  }
  return out;
}

/// [aten/src/ATen/native/TensorShape.cpp, stack, check_stack_inputs]
Tensor stack_kernel(TensorList tensors, std::int64_t dim) {
  if (tensors.empty()) raise_saying(ErrorClass::range, "stack expects a non-empty TensorList");
  const Tensor& first = tensors.front();
  const int at = wrapped_dim(dim, first.dim() + 1);
  for (std::size_t i = 1; i < tensors.size(); ++i)
    if (!std::ranges::equal(tensors[i].sizes(), first.sizes()))
      raise_saying(ErrorClass::shape, "stack expects each tensor to be equal size, but got " + printed(first.sizes()) +
                                          " at entry 0 and " + printed(tensors[i].sizes()) + " at entry " +
                                          std::to_string(i));
  const Dtype dtype = result_type(tensors);
  if (at == first.dim()) return stacked_behind(tensors, dtype);
  Tensor out = joined(tensors, at, dtype);
  split_joined(out, with(first.sizes(), at, static_cast<std::int64_t>(tensors.size())));
  return out;
}

}  // namespace

std::span<const OpKernel> join_kernels() {
  static const std::array kernels{plain_kernel<op::cat, cat_kernel>(), plain_kernel<op::cat_out, cat_out_kernel>(),
                                  plain_kernel<op::stack, stack_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
