// CompositeImplicitAutograd ops that reshape: each is a view if possible, otherwise a copy or the tensor itself.
#include <algorithm>
#include <array>
#include <numeric>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/layout.h"
#include "optimized/cpu/options.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

constexpr Enumerated kContiguousFormat = 0;

// [aten/src/ATen/native/TensorShape.cpp, reshape]
Tensor reshape_kernel(const Tensor& self, IntList shape) {
  if (self.is_contiguous()) return view(self, shape);
  const DimVector sizes = inferred_sizes(shape, self.numel());
  if (view_strides(self, sizes)) return view(self, sizes);
  return _unsafe_view(clone(self, kContiguousFormat), sizes);
}

// [aten/src/ATen/native/TensorShape.cpp, flatten]
Tensor flatten_kernel(const Tensor& self, std::int64_t start_dim, std::int64_t end_dim) {
  const int start = wrapped_dim(start_dim, self.dim());
  const int end = wrapped_dim(end_dim, self.dim());
  if (start > end) raise_saying(ErrorClass::range, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return reshape(self, {1});
  if (start == end) return self;
  DimVector shape(static_cast<std::size_t>(self.dim() - (end - start)), 1);
  for (int d = 0; d < self.dim(); ++d) {
    const int to = d <= start ? d : std::max(start, d - (end - start));
    auto& size = shape[static_cast<std::size_t>(to)];
    size = stride_product(size, self.size(d));
  }
  return reshape(self, shape);
}

// [aten/src/ATen/native/TensorProperties.cpp, contiguous]
Tensor contiguous_kernel(const Tensor& self, Enumerated memory_format) {
  const MemoryFormat format = memory_format_of(memory_format, MemoryFormat::contiguous);
  if (is_contiguous_in(self, format)) return self;
  if (format == MemoryFormat::preserve)
    raise_saying(ErrorClass::option, "preserve memory format is unsupported by the contiguous operator");
  return clone(self, memory_format);
}

// [aten/src/ATen/native/TensorShape.cpp, chunk]
std::vector<Tensor> chunk_kernel(const Tensor& self, std::int64_t chunks, std::int64_t dim) {
  if (self.dim() == 0) raise_saying(ErrorClass::dim_range, "chunk expects at least a 1-dimensional tensor");
  if (chunks <= 0)
    raise_saying(ErrorClass::range, "chunk expects `chunks` to be greater than 0, got: " + std::to_string(chunks));
  const std::int64_t whole = self.size(wrapped_dim(dim, self.dim()));
  if (whole != 0) return split(self, whole / chunks + (whole % chunks == 0 ? 0 : 1), dim);
  // split would give only one piece
  return split_with_sizes(self, std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 0), dim);
}

// [aten/src/ATen/native/TensorShape.cpp, view_as, expand_as]
Tensor view_as_kernel(const Tensor& self, const Tensor& other) { return view(self, other.sizes()); }
Tensor expand_as_kernel(const Tensor& self, const Tensor& other) { return expand(self, other.sizes()); }

// [aten/src/ATen/native/TensorShape.cpp, movedim]
Tensor movedim_kernel(const Tensor& self, std::int64_t source, std::int64_t destination) {
  const int from = wrapped_dim(source, self.dim());
  const int to = wrapped_dim(destination, self.dim());
  if (self.dim() == 0) return alias(self);
  DimVector dims(static_cast<std::size_t>(self.dim()));
  std::iota(dims.begin(), dims.end(), 0);
  if (from < to)
    std::rotate(dims.begin() + from, dims.begin() + from + 1, dims.begin() + to + 1);
  else
    std::rotate(dims.begin() + to, dims.begin() + from, dims.begin() + from + 1);
  return permute(self, dims);
}

// [aten/src/ATen/native/TensorShape.cpp, narrow]
Tensor narrow_kernel(const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length) {
  if (self.dim() == 0) raise_saying(ErrorClass::dim_range, "narrow() cannot be applied to a 0-dim tensor.");
  if (length < 0) raise_saying(ErrorClass::range, "narrow(): length must be non-negative.");
  const std::int64_t size = self.size(wrapped_dim(dim, self.dim()));
  if (start < -size || start > size)
    raise_saying(ErrorClass::range,
                 "start out of range (expected to be in range of [" + std::to_string(-size) + ", " +
                     std::to_string(size) + "], but got " + std::to_string(start) + ")",
                 "IndexError");
  const std::int64_t from = start < 0 ? start + size : start;
  if (from > size - length)
    raise_saying(ErrorClass::range, "start (" + std::to_string(from) + ") + length (" + std::to_string(length) +
                                        ") exceeds dimension size (" + std::to_string(size) + ").");
  return slice(self, dim, from, from + length, 1);
}

// [aten/src/ATen/native/TensorConversions.cpp, to_impl]
Tensor to_device_kernel(const Tensor& self, std::optional<Dtype> dtype, std::optional<Enumerated> layout,
                        std::optional<Enumerated> device, std::optional<bool> pin_memory, bool non_blocking, bool copy,
                        std::optional<Enumerated> memory_format) {
  const MemoryFormat format = memory_format_of(memory_format, MemoryFormat::preserve);
  const bool keeps_format = format == MemoryFormat::preserve || format == suggested_format(self);
  const bool stays = !device || *device == device_number(self.device());
  if (dtype.value_or(self.dtype()) == self.dtype() && stays && !copy && keeps_format) return self;
  return _to_copy(self, dtype.value_or(self.dtype()), layout, device, pin_memory, non_blocking, memory_format);
}
Tensor to_kernel(const Tensor& self, Dtype dtype, bool non_blocking, bool copy,
                 std::optional<Enumerated> memory_format) {
  return to_device_kernel(self, dtype, std::nullopt, std::nullopt, std::nullopt, non_blocking, copy, memory_format);
}

}  // namespace

std::span<const OpKernel> shape_composites() {
  static const std::array kernels{
      plain_kernel<op::reshape, reshape_kernel>(),       plain_kernel<op::flatten_using_ints, flatten_kernel>(),
      plain_kernel<op::contiguous, contiguous_kernel>(), plain_kernel<op::chunk, chunk_kernel>(),
      plain_kernel<op::view_as, view_as_kernel>(),       plain_kernel<op::expand_as, expand_as_kernel>(),
      plain_kernel<op::movedim_int, movedim_kernel>(),   plain_kernel<op::narrow, narrow_kernel>(),
      plain_kernel<op::to_dtype, to_kernel>(),           plain_kernel<op::to_dtype_layout, to_device_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
