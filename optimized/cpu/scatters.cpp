// The CPU's *_scatter ops: a copy of a tensor, in which the part that a view sees is replaced.
#include <algorithm>
#include <array>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/layout.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// A copy of the whole storage with the layout of `self`; if that repeats elements, a copy with the layout of its clone
/// [aten/src/ATen/native/TensorShape.cpp, clone_preserve_strides].
Tensor copy_of_all(const Tensor& self) {
  if (repeats_elements(self.sizes(), self.strides())) return converted_tensor(self, self.dtype());
  const std::int64_t item = item_size(self.dtype());
  const auto held = static_cast<std::int64_t>(self.storage()->bytes()) / item;
  const Tensor whole = empty_tensor({held}, self.dtype());
  const Tensor all = alias_of(self, DimVector(1, held), DimVector(1, 1), 0);
  if (held > 0) copy_elements(all.sizes(), Operand::of(whole), Operand::of(all));
  return alias_of(whole, self.sizes(), self.strides(), self.offset());
}

/// `layout_in(copy)`: where the view lies in the copy.
template <class LayoutIn>
Tensor scatter(const Tensor& self, const Tensor& src, const LayoutIn& layout_in) {
  Tensor copy = copy_of_all(self);
  const Tensor part = view_of(copy, layout_in(copy));
  if (!std::ranges::equal(part.sizes(), src.sizes()))
    raise_saying(ErrorClass::shape, "expected src to have a size equal to the slice of self. src size = " +
                                        printed(src.sizes()) + ", slice size = " + printed(part.sizes()));
  check_internal_overlap(part);
  copy_elements(part.sizes(), Operand::of(part), Operand::of(src));
  return copy;
}

Tensor as_strided_scatter_kernel(const Tensor& self, const Tensor& src, IntList size, IntList stride,
                                 const std::optional<std::int64_t>& storage_offset) {
  return scatter(self, src, [&](const Tensor& copy) { return as_strided_layout(copy, size, stride, storage_offset); });
}
Tensor diagonal_scatter_kernel(const Tensor& self, const Tensor& src, std::int64_t offset, std::int64_t dim1,
                               std::int64_t dim2) {
  return scatter(self, src, [&](const Tensor& copy) { return diagonal_layout(copy, offset, dim1, dim2); });
}
Tensor select_scatter_kernel(const Tensor& self, const Tensor& src, std::int64_t dim, std::int64_t index) {
  return scatter(self, src, [&](const Tensor& copy) { return select_layout(copy, dim, index); });
}
Tensor slice_scatter_kernel(const Tensor& self, const Tensor& src, std::int64_t dim,
                            const std::optional<std::int64_t>& start, const std::optional<std::int64_t>& end,
                            std::int64_t step) {
  return scatter(self, src, [&](const Tensor& copy) {
    const Slice slice = slice_of(copy, dim, start, end, step);
    Layout layout = Layout::of(copy);
    layout.sizes[static_cast<std::size_t>(slice.dim)] = slice.length;
    layout.strides[static_cast<std::size_t>(slice.dim)] = slice.stride;
    layout.offset += slice.skipped;
    return layout;
  });
}

}  // namespace

std::span<const OpKernel> scatter_kernels() {
  static const std::array kernels{plain_kernel<op::as_strided_scatter, as_strided_scatter_kernel>(),
                                  plain_kernel<op::diagonal_scatter, diagonal_scatter_kernel>(),
                                  plain_kernel<op::select_scatter, select_scatter_kernel>(),
                                  plain_kernel<op::slice_scatter, slice_scatter_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
