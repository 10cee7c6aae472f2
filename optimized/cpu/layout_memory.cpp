// Layouts that depend on a storage's length or the elements' dtype: expand, as_strided, view(dtype).
#include <algorithm>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/layout.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// Raises where a size is negative, or 64 bits do not hold the number of elements.
void check_sizes(IntList sizes) {
  bool overflow = false;
  bool empty = false;
  std::int64_t numel = 1;
  for (const std::int64_t size : sizes) {
    if (size < 0) raise_saying(ErrorClass::range, "numel: integer multiplication overflow");
    empty = empty || size == 0;
    overflow = __builtin_mul_overflow(numel, size, &numel) || overflow;
  }
  if (overflow && !empty) raise_saying(ErrorClass::range, "numel: integer multiplication overflow");
}

/// "torch.LongTensor": what Python calls such a tensor, in some messages.
std::string legacy_name(Dtype dtype) {
  return dtype == Dtype::boolean ? "CPUBoolType" : std::string("torch.") + scalar_name(dtype) + "Tensor";
}

}  // namespace

Layout expand_layout(const Tensor& self, IntList size) {
  const std::size_t rank = size.size();
  const auto own = static_cast<std::size_t>(self.dim());
  if (rank < own)
    raise_saying(ErrorClass::shape, "expand(" + legacy_name(self.dtype()) + "{" + printed(self.sizes()) + "}, size=" +
                                        printed(size) + "): the number of sizes provided (" + std::to_string(rank) +
                                        ") must be greater or equal to the number of dimensions in the tensor (" +
                                        std::to_string(own) + ")");
  const std::size_t added = rank - own;
  Layout layout{size, DimVector(rank), self.offset()};
  for (std::size_t i = rank; i-- > 0;) {
    const bool fresh = i < added;
    const int from = static_cast<int>(i) - static_cast<int>(added);
    const std::int64_t old = fresh ? 1 : self.size(from);
    if (size[i] == -1 && fresh && own > 0)
      raise_saying(ErrorClass::range,
                   "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
                   "dimension " +
                       std::to_string(i));
    const std::int64_t asked = size[i] == -1 && !fresh ? old : size[i];
    // A new first dimension has the stride that it would have with size 1.
    const std::int64_t fresh_stride = own > 0 && fresh ? stride_product(layout.sizes[i + 1], layout.strides[i + 1]) : 0;
    const std::int64_t stride = fresh ? fresh_stride : self.stride(from);
    if (asked != old && old != 1)
      raise_saying(ErrorClass::shape,
                   "The expanded size of the tensor (" + std::to_string(asked) + ") must match the existing size (" +
                       std::to_string(old) + ") at non-singleton dimension " + std::to_string(i) +
                       ".  Target sizes: " + printed(size) + ".  Tensor sizes: " + printed(self.sizes()));
    layout.sizes[i] = asked;
    layout.strides[i] = asked == old ? stride : 0;
  }
  check_sizes(layout.sizes);
  return layout;
}

Layout as_strided_layout(const Tensor& self, IntList size, IntList stride, std::optional<std::int64_t> offset) {
  if (size.size() != stride.size()) raise_saying(ErrorClass::shape, "mismatch in length of strides and shape");
  const std::int64_t start = offset.value_or(self.offset());
  for (const std::int64_t one : stride)
    if (one < 0)
      raise_saying(ErrorClass::range,
                   "as_strided: Negative strides are not supported at the moment, got strides: " + printed(stride));
  if (start < 0) raise_saying(ErrorClass::range, "Tensor: invalid storage offset " + std::to_string(start));
  const bool empty = std::find(size.begin(), size.end(), 0) != size.end();
  bool overflow = false;
  std::int64_t last = start;
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < size.size() && !empty; ++i) {
    std::int64_t span = 0;
    // A negative size makes the bytes that the storage must have overflow, unless it is not followed.
    overflow = overflow || (size[i] < 0 && stride[i] > 0);
    overflow = __builtin_mul_overflow(size[i] - 1, stride[i], &span) || overflow;
    overflow = __builtin_add_overflow(last, span, &last) || overflow;
  }
  const std::int64_t item = item_size(self.dtype());
  overflow = __builtin_add_overflow(last, 1, &last) || __builtin_mul_overflow(last, item, &bytes) || overflow;
  if (overflow)
    raise_saying(ErrorClass::range,
                 "Storage size calculation overflowed with sizes=" + printed(size) + " and strides=" + printed(stride));
  const auto held = static_cast<std::int64_t>(self.storage()->bytes());
  if (!empty && bytes > held)
    raise(ErrorClass::storage_bounds, {printed(size), printed(stride), std::to_string(start), std::to_string(item),
                                       std::to_string(bytes), std::to_string(held)});
  check_sizes(size);
  return {size, stride, start};
}

Layout retyped_layout(const Tensor& self, Dtype dtype) {
  if (!has_dtype(dtype)) refuse_dtype(dtype);
  const std::int64_t from = item_size(self.dtype());
  const std::int64_t to = item_size(dtype);
  Layout layout = Layout::of(self);
  if (from == to) return layout;
  const std::string which =
      std::string(" to view ") + scalar_name(self.dtype()) + " as " + scalar_name(dtype) + " (different element sizes)";
  const auto refuse = [&](const std::string& what, std::int64_t got) {
    raise_saying(ErrorClass::view_stride, what + which + ", but got " + std::to_string(got));
  };
  const int last = self.dim() - 1;
  if (last < 0) raise_saying(ErrorClass::view_stride, "self.dim() cannot be 0" + which);
  const std::int64_t ratio = to > from ? to / from : from / to;
  const std::string divides = " must be divisible by " + std::to_string(ratio);
  const auto rank = static_cast<std::size_t>(last);
  if (to > from) {
    if (self.size(last) % ratio != 0) refuse("self.size(-1)" + divides, self.size(last));
    if (self.offset() % ratio != 0) refuse("self.storage_offset()" + divides, self.offset());
  }
  if (self.stride(last) != 1) refuse("self.stride(-1) must be 1", self.stride(last));
  for (std::size_t d = 0; d < rank; ++d) {
    if (to > from && layout.strides[d] % ratio != 0)
      refuse("self.stride(" + std::to_string(d) + ")" + divides, layout.strides[d]);
    layout.strides[d] = to > from ? layout.strides[d] / ratio : stride_product(layout.strides[d], ratio);
  }
  layout.sizes[rank] = to > from ? layout.sizes[rank] / ratio : layout.sizes[rank] * ratio;
  layout.offset = to > from ? layout.offset / ratio : layout.offset * ratio;
  return layout;
}

}  // namespace plumbline::optimized
