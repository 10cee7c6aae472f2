// The CPU's view ops, tensors that share memory with their first argument, and the ops that copy what these see.
#include <algorithm>
#include <array>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/layout.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

Tensor view_of(const Tensor& self, const Layout& layout) {
  return alias_of(self, layout.sizes, layout.strides, layout.offset);
}

namespace {

/// The common case: row-major memory, and sizes that are all given. Undefined in other cases.
[[gnu::always_inline]] inline Tensor row_major_view(const Tensor& self, IntList size) {
  const TensorImpl& source = self.impl();
  std::int64_t numel = 1;
  for (const std::int64_t one : size)
    if (one <= 0 || __builtin_mul_overflow(numel, one, &numel)) return {};
  if (numel != source.numel) return {};
  const std::int64_t* const sizes = source.sizes();
  const std::int64_t* const strides = source.strides();
  std::int64_t expected = 1;  // of the strides, those of sizes of 1 too
  for (int d = source.dim() - 1; d >= 0; --d) {
    if (strides[d] != expected) return {};
    expected *= sizes[d];
  }
  Tensor view = blank_alias_of(self, static_cast<int>(size.size()), source.offset);
  std::int64_t* const own_sizes = view.impl().sizes();
  std::int64_t* const own_strides = view.impl().strides();
  std::int64_t stride = 1;
  for (std::size_t d = size.size(); d-- > 0;) {
    own_sizes[d] = size[d];
    own_strides[d] = stride;
    stride *= size[d];
  }
  view.impl().numel = numel;
  return view;
}

Tensor view_kernel(const Tensor& self, IntList size) {
  Tensor view = row_major_view(self, size);
  return view.defined() ? view : view_of(self, view_layout(self, size));
}
Tensor select_kernel(const Tensor& self, std::int64_t dim, std::int64_t index) {
  const Selected selected = selected_of(self, dim, index);
  const TensorImpl& source = self.impl();
  Tensor view = blank_alias_of(self, source.dim() - 1, selected.offset);
  const std::int64_t* const sizes = source.sizes();
  const std::int64_t* const strides = source.strides();
  std::int64_t* const own_sizes = view.impl().sizes();
  std::int64_t* const own_strides = view.impl().strides();
  std::int64_t numel = 1;
  for (int d = 0, to = 0; d < source.dim(); ++d) {
    if (d == selected.dim) continue;
    own_sizes[to] = sizes[d];
    own_strides[to] = strides[d];
    numel *= sizes[d];
    ++to;
  }
  view.impl().numel = numel;
  return view;
}
Tensor slice_kernel(const Tensor& self, std::int64_t dim, const std::optional<std::int64_t>& start,
                    const std::optional<std::int64_t>& end, std::int64_t step) {
  const Slice slice = slice_of(self, dim, start, end, step);
  const TensorImpl& source = self.impl();
  const int dims = source.dim();
  Tensor view = blank_alias_of(self, dims, source.offset + slice.skipped);
  const std::int64_t* const sizes = source.sizes();
  const std::int64_t* const strides = source.strides();
  std::int64_t* const own_sizes = view.impl().sizes();
  std::int64_t* const own_strides = view.impl().strides();
  std::int64_t numel = 1;
  for (int d = 0; d < dims; ++d) {
    own_sizes[d] = d == slice.dim ? slice.length : sizes[d];
    own_strides[d] = d == slice.dim ? slice.stride : strides[d];
    numel *= own_sizes[d];
  }
  view.impl().numel = numel;
  return view;
}
Tensor transpose_kernel(const Tensor& self, std::int64_t dim0, std::int64_t dim1) {
  return view_of(self, transpose_layout(self, dim0, dim1));
}
Tensor t_kernel(const Tensor& self) { return view_of(self, t_layout(self, "t")); }
Tensor permute_kernel(const Tensor& self, IntList dims) { return view_of(self, permute_layout(self, dims)); }
Tensor expand_kernel(const Tensor& self, IntList size, bool) { return view_of(self, expand_layout(self, size)); }
Tensor squeeze_kernel(const Tensor& self) { return view_of(self, squeeze_layout(self)); }
Tensor squeeze_dim_kernel(const Tensor& self, std::int64_t dim) { return view_of(self, squeeze_dim_layout(self, dim)); }
Tensor unsqueeze_kernel(const Tensor& self, std::int64_t dim) { return view_of(self, unsqueeze_layout(self, dim)); }
Tensor diagonal_kernel(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  return view_of(self, diagonal_layout(self, offset, dim1, dim2));
}
Tensor unfold_kernel(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step) {
  return view_of(self, unfold_layout(self, dimension, size, step));
}
Tensor as_strided_kernel(const Tensor& self, IntList size, IntList stride, std::optional<std::int64_t> storage_offset) {
  return view_of(self, as_strided_layout(self, size, stride, storage_offset));
}
Tensor same_kernel(const Tensor& self) { return alias_of(self, self.sizes(), self.strides(), self.offset()); }
Tensor view_dtype_kernel(const Tensor& self, Dtype dtype) {
  Tensor view = view_of(self, retyped_layout(self, dtype));
  view.impl().dtype = dtype;
  return view;
}

void needs_dimension(const Tensor& self) {
  if (self.dim() == 0) raise_saying(ErrorClass::dim_range, "split expects at least a 1-dimensional tensor");
}

/// Pieces of `dim`, each as long as `length_of` says, from the front.
template <class LengthOf>
std::vector<Tensor> pieces_of(const Tensor& self, int dim, std::size_t count, const LengthOf& length_of) {
  std::vector<Tensor> pieces;
  pieces.reserve(count);
  Layout piece = Layout::of(self);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t length = length_of(i);
    piece.sizes[static_cast<std::size_t>(dim)] = length;
    pieces.push_back(view_of(self, piece));
    piece.offset += stride_product(length, self.stride(dim));
  }
  return pieces;
}

std::vector<Tensor> split_kernel(const Tensor& self, std::int64_t split_size, std::int64_t dim) {
  needs_dimension(self);
  if (split_size < 0)
    raise_saying(ErrorClass::range,
                 "split expects split_size be non-negative, but got split_size=" + std::to_string(split_size));
  const int d = wrapped_dim(dim, self.dim());
  const std::int64_t whole = self.size(d);
  if (split_size == 0 && whole != 0)
    raise_saying(ErrorClass::range,
                 "split_size can only be 0 if dimension size is 0, but got dimension size of " + std::to_string(whole));
  const std::int64_t length = std::max<std::int64_t>(split_size, 1);
  const std::int64_t count = std::max<std::int64_t>(whole / length + (whole % length == 0 ? 0 : 1), 1);
  return pieces_of(self, d, static_cast<std::size_t>(count),
                   [&](std::size_t i) { return std::min(length, whole - static_cast<std::int64_t>(i) * length); });
}

std::vector<Tensor> split_with_sizes_kernel(const Tensor& self, IntList split_sizes, std::int64_t dim) {
  needs_dimension(self);
  const int d = wrapped_dim(dim, self.dim());
  std::int64_t sum = 0;
  bool overflow = false;
  for (const std::int64_t size : split_sizes) {
    if (size < 0)
      raise_saying(ErrorClass::range,
                   "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=" +
                       printed(split_sizes));
    overflow = __builtin_add_overflow(sum, size, &sum) || overflow;
  }
  if (overflow || sum != self.size(d))
    raise_saying(ErrorClass::range, "split_with_sizes expects split_sizes to sum exactly to " +
                                        std::to_string(self.size(d)) + " (input tensor's size at dimension " +
                                        std::to_string(dim) + "), but got split_sizes=" + printed(split_sizes));
  return pieces_of(self, d, split_sizes.size(), [&](std::size_t i) { return split_sizes[i]; });
}

std::vector<Tensor> unbind_kernel(const Tensor& self, std::int64_t dim) {
  const int d = wrapped_dim(dim, self.dim());
  if (self.dim() == 0)
    raise_saying(ErrorClass::dim_range, "Dimension specified as 0 but tensor has no dimensions", "IndexError");
  std::vector<Tensor> pieces;
  pieces.reserve(static_cast<std::size_t>(self.size(d)));
  for (std::int64_t i = 0; i < self.size(d); ++i) pieces.push_back(view_of(self, select_layout(self, d, i)));
  return pieces;
}

/// Row-major copies of the results of the view's kernel.
Tensor row_major_copy(const Tensor& view) {
  Tensor copy = empty_tensor(view.sizes(), view.dtype());
  copy_elements(view.sizes(), Operand::of(copy), Operand::of(view));
  return copy;
}
std::vector<Tensor> row_major_copy(std::vector<Tensor> views) {
  for (Tensor& view : views) view = row_major_copy(view);
  return views;
}

template <class Function>
struct CopyOf;
template <class R, class... A>
struct CopyOf<R (*)(A...)> {
  template <R (*kView)(A...)>
  static R run(A... arguments) {
    return row_major_copy(kView(arguments...));
  }
};
/// Of a {view}_copy, from the view's kernel.
template <class Op, auto kView>
OpKernel copy_kernel() {
  return plain_kernel<Op, CopyOf<decltype(kView)>::template run<kView>>();
}

/// Sizes that the strides do not allow for a view are reshape's.
Tensor view_copy_kernel(const Tensor& self, IntList size) {
  const DimVector sizes = inferred_sizes(size, self.numel());
  if (view_strides(self, sizes)) return row_major_copy(view_kernel(self, size));
  const Tensor copy = row_major_copy(self);
  return view_of(copy, {sizes, row_major_strides(sizes), 0});
}

}  // namespace

std::span<const OpKernel> view_copy_kernels() {
  static const std::array kernels{copy_kernel<op::alias_copy, same_kernel>(),
                                  copy_kernel<op::as_strided_copy, as_strided_kernel>(),
                                  copy_kernel<op::detach_copy, same_kernel>(),
                                  copy_kernel<op::diagonal_copy, diagonal_kernel>(),
                                  copy_kernel<op::expand_copy, expand_kernel>(),
                                  copy_kernel<op::permute_copy, permute_kernel>(),
                                  copy_kernel<op::select_copy_int, select_kernel>(),
                                  copy_kernel<op::slice_copy_Tensor, slice_kernel>(),
                                  copy_kernel<op::split_copy_Tensor, split_kernel>(),
                                  copy_kernel<op::split_with_sizes_copy, split_with_sizes_kernel>(),
                                  copy_kernel<op::squeeze_copy, squeeze_kernel>(),
                                  copy_kernel<op::squeeze_copy_dim, squeeze_dim_kernel>(),
                                  copy_kernel<op::t_copy, t_kernel>(),
                                  copy_kernel<op::transpose_copy_int, transpose_kernel>(),
                                  copy_kernel<op::unbind_copy_int, unbind_kernel>(),
                                  copy_kernel<op::unfold_copy, unfold_kernel>(),
                                  copy_kernel<op::unsqueeze_copy, unsqueeze_kernel>(),
                                  plain_kernel<op::view_copy, view_copy_kernel>(),
                                  copy_kernel<op::view_copy_dtype, view_dtype_kernel>()};
  return kernels;
}

std::span<const OpKernel> view_kernels() {
  static const std::array kernels{plain_kernel<op::view, view_kernel>(),
                                  plain_kernel<op::select_int, select_kernel>(),
                                  plain_kernel<op::slice_Tensor, slice_kernel>(),
                                  plain_kernel<op::transpose_int, transpose_kernel>(),
                                  plain_kernel<op::t, t_kernel>(),
                                  plain_kernel<op::permute, permute_kernel>(),
                                  plain_kernel<op::expand, expand_kernel>(),
                                  plain_kernel<op::squeeze, squeeze_kernel>(),
                                  plain_kernel<op::squeeze_dim, squeeze_dim_kernel>(),
                                  plain_kernel<op::unsqueeze, unsqueeze_kernel>(),
                                  plain_kernel<op::diagonal, diagonal_kernel>(),
                                  plain_kernel<op::unfold, unfold_kernel>(),
                                  plain_kernel<op::as_strided, as_strided_kernel>(),
                                  plain_kernel<op::alias, same_kernel>(),
                                  plain_kernel<op::detach, same_kernel>(),
                                  plain_kernel<op::view_dtype, view_dtype_kernel>(),
                                  plain_kernel<op::split_Tensor, split_kernel>(),
                                  plain_kernel<op::split_with_sizes, split_with_sizes_kernel>(),
                                  plain_kernel<op::unbind_int, unbind_kernel>(),
                                  plain_kernel<op::_unsafe_view, view_kernel>(),
                                  plain_kernel<op::unsafe_split_Tensor, split_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
