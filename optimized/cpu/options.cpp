// The options of a factory besides sizes and dtype, and which of them a CPU has.
#include "optimized/cpu/options.h"

#include <algorithm>
#include <vector>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/layout.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// Strides in which channels, dimension 1, run fastest; after a size of 0 they are 0, as in PyTorch.
DimVector channels_last_strides(IntList sizes) {
  DimVector strides(sizes.size());
  std::int64_t stride = 1;
  const auto lay = [&](std::size_t d) {
    strides[d] = stride;
    stride = stride_product(stride, sizes[d]);
  };
  lay(1);
  for (std::size_t d = sizes.size() - 1; d > 1; --d) lay(d);
  lay(0);
  return strides;
}

/// From the dimension that runs fastest: channels, then the others from the last.
std::vector<int> channels_last_order(int dims) {
  std::vector<int> order{1};
  for (int d = dims - 1; d > 1; --d) order.push_back(d);
  order.push_back(0);
  return order;
}

// [c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4]
bool are_strides_like_channels_last(const Tensor& self) {
  if (self.stride(1) == 0) return false;
  std::int64_t least = 0;
  for (const int d : channels_last_order(self.dim())) {
    if (self.size(d) == 0 || self.stride(d) < least) return false;
    if (d == 0 && least == self.stride(1)) return false;  // row-major strides are like these too
    least = self.stride(d) * std::max<std::int64_t>(self.size(d), 1);
  }
  return true;
}

/// How many dimensions a tensor in one of the two formats that are channels-last has.
std::size_t channels_last_rank(MemoryFormat format) { return format == MemoryFormat::channels_last ? 4 : 5; }

}  // namespace

// [c10/core/Contiguity.h, _compute_channels_last_contiguous_2d]
bool is_contiguous_with_channels_last(const Tensor& self, MemoryFormat format) {
  if (!can_have(self.sizes(), format)) return false;
  std::int64_t expected = 1;
  for (const int d : channels_last_order(self.dim())) {
    if (self.size(d) == 1) continue;
    if (self.stride(d) != expected) return false;
    expected *= self.size(d);
  }
  return true;
}

MemoryFormat suggested_format(const Tensor& self) {
  if (self.dim() == 4 && are_strides_like_channels_last(self)) return MemoryFormat::channels_last;
  if (self.dim() == 5 && are_strides_like_channels_last(self)) return MemoryFormat::channels_last_3d;
  return MemoryFormat::contiguous;
}

void raise_option(bool layout, bool device) {
  if (layout) raise_saying(ErrorClass::option, "only the strided layout is supported");
  if (device) raise_saying(ErrorClass::option, "Torch not compiled with CUDA enabled", "AssertionError");
  raise_saying(ErrorClass::option,
               "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available "
               "on this system.");
}

void raise_no_format(Enumerated asked) {
  raise_saying(ErrorClass::option, "unsupported memory format " + std::to_string(asked));
}

bool can_have(IntList sizes, MemoryFormat format) {
  return format == MemoryFormat::contiguous || sizes.size() == channels_last_rank(format);
}

DimVector strides_in(IntList sizes, MemoryFormat format) {
  if (format == MemoryFormat::contiguous) return row_major_strides(sizes);
  if (!can_have(sizes, format))
    raise(ErrorClass::option, {std::to_string(channels_last_rank(format)),
                               format == MemoryFormat::channels_last ? "channels_last" : "channels_last_3d"});
  return channels_last_strides(sizes);
}

Tensor empty_in(IntList sizes, Dtype dtype, MemoryFormat format) {
  if (format == MemoryFormat::contiguous) return empty_tensor(sizes, dtype);
  static_cast<void>(numel_of(sizes));  // what is wrong with them comes first
  if (format == MemoryFormat::preserve) raise_saying(ErrorClass::option, "unsupported memory format Preserve");
  const DimVector strides = strides_in(sizes, format);
  Tensor made = empty_tensor(sizes, dtype);
  std::copy(strides.begin(), strides.end(), made.impl().strides());
  return made;
}

Tensor empty_like_in(const Tensor& self, Dtype dtype, MemoryFormat format) {
  if (format != MemoryFormat::preserve) return empty_in(self.sizes(), dtype, format);
  return empty_strided(self.sizes(), dense_strides(self.sizes(), self.strides()), dtype);
}

}  // namespace plumbline::optimized
