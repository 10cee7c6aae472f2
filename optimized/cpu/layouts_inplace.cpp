// The CPU's ops that change where a tensor's elements lie, or in which storage: in-place views, resize_ and set_.
#include <algorithm>
#include <array>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/layout.h"
#include "optimized/cpu/options.h"
#include "optimized/ops.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

const Tensor& lay_out(const Tensor& self, const Layout& layout) {
  TensorImpl& impl = self.impl();
  const std::int64_t numel = numel_of(layout.sizes);
  impl.set_dim(static_cast<int>(layout.sizes.size()));
  std::copy(layout.sizes.begin(), layout.sizes.end(), impl.sizes());
  std::copy(layout.strides.begin(), layout.strides.end(), impl.strides());
  impl.offset = layout.offset;
  impl.numel = numel;
  return self;
}

const Tensor& transpose_kernel(const Tensor& self, std::int64_t dim0, std::int64_t dim1) {
  return lay_out(self, transpose_layout(self, dim0, dim1));
}
const Tensor& t_kernel(const Tensor& self) { return lay_out(self, t_layout(self, "t_")); }
const Tensor& squeeze_kernel(const Tensor& self) { return lay_out(self, squeeze_layout(self)); }
const Tensor& squeeze_dim_kernel(const Tensor& self, std::int64_t dim) {
  return lay_out(self, squeeze_dim_layout(self, dim));
}
const Tensor& unsqueeze_kernel(const Tensor& self, std::int64_t dim) {
  return lay_out(self, unsqueeze_layout(self, dim));
}
const Tensor& as_strided_kernel(const Tensor& self, IntList size, IntList stride,
                                std::optional<std::int64_t> storage_offset) {
  return lay_out(self, as_strided_layout(self, size, stride, storage_offset));
}

/// The strides that resize_ gives; raises option for a memory format that these sizes cannot have.
DimVector resized_strides(IntList size, std::optional<Enumerated> memory_format) {
  const MemoryFormat format = memory_format_of(memory_format, MemoryFormat::contiguous);
  if (format == MemoryFormat::preserve) raise_saying(ErrorClass::option, "Unsupported memory formatPreserve");
  return strides_in(size, format);
}

// [aten/src/ATen/native/Resize.cpp, resize_]
const Tensor& resize_kernel(const Tensor& self, IntList size, std::optional<Enumerated> memory_format) {
  if (std::ranges::any_of(size, [](std::int64_t one) { return one < 0; }))
    raise_saying(ErrorClass::range, "numel: integer multiplication overflow");
  const std::int64_t numel = numel_of(size);
  if (std::ranges::equal(self.sizes(), size) && !memory_format) return self;
  const DimVector strides = resized_strides(size, memory_format);  // an error changes nothing
  const std::int64_t item = item_size(self.dtype());
  std::int64_t bytes = 0;
  if (numel > 0 &&
      (__builtin_add_overflow(self.offset(), numel, &bytes) || __builtin_mul_overflow(bytes, item, &bytes)))
    raise_saying(ErrorClass::range, "Storage size calculation overflowed with sizes=" + printed(size));
  self.storage()->grow(static_cast<std::size_t>(bytes));
  return lay_out(self, {size, strides, self.offset()});
}

/// Autograd does its work.
const Tensor& detach_kernel(const Tensor& self) { return self; }

// [aten/src/ATen/native/TensorShape.cpp, set_; python_variable_methods.cpp, THPVariable_set_]
const Tensor& set_kernel(const Tensor& self, const Tensor& source) {
  if (source.dtype() != self.dtype())
    raise_saying(ErrorClass::dtype_mismatch, "Could not set tensor of type " + std::string(name_of(source.dtype())) +
                                                 " to a tensor of type " + std::string(name_of(self.dtype())));
  if (source.device() != self.device())
    raise_saying(ErrorClass::device, "Attempted to set the storage of a tensor on device \"" + printed(self.device()) +
                                         "\" to a storage on different device \"" + printed(source.device()) +
                                         "\".  This is no longer allowed; the devices must match.");
  const Layout layout = Layout::of(source);
  self.impl().set_storage(source.storage());
  return lay_out(self, layout);
}

}  // namespace

std::span<const OpKernel> layout_kernels() {
  static const std::array kernels{
      plain_kernel<op::transpose_, transpose_kernel>(),  plain_kernel<op::t_, t_kernel>(),
      plain_kernel<op::squeeze_, squeeze_kernel>(),      plain_kernel<op::squeeze__dim, squeeze_dim_kernel>(),
      plain_kernel<op::unsqueeze_, unsqueeze_kernel>(),  plain_kernel<op::as_strided_, as_strided_kernel>(),
      plain_kernel<op::resize_, resize_kernel>(),        plain_kernel<op::detach_, detach_kernel>(),
      plain_kernel<op::set__source_Tensor, set_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
