// The options of a factory besides sizes and dtype, and which of them a CPU has.
#include "optimized/cpu/options.h"

#include <algorithm>

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

}  // namespace

void raise_option(bool layout, bool device) {
  if (layout) raise_saying(ErrorClass::option, "only the strided layout is supported");
  if (device) raise_saying(ErrorClass::option, "Torch not compiled with CUDA enabled", "AssertionError");
  raise_saying(ErrorClass::option,
               "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available "
               "on this system.");
}

MemoryFormat memory_format_of(std::optional<Enumerated> asked, MemoryFormat otherwise) {
  if (!asked) return otherwise;
  if (*asked < 0 || *asked > static_cast<Enumerated>(MemoryFormat::channels_last_3d))
    raise_saying(ErrorClass::option, "unsupported memory format " + std::to_string(*asked));
  return static_cast<MemoryFormat>(*asked);
}

Tensor empty_in(IntList sizes, Dtype dtype, MemoryFormat format) {
  if (format == MemoryFormat::contiguous) return empty_tensor(sizes, dtype);
  if (format == MemoryFormat::preserve) raise_saying(ErrorClass::option, "unsupported memory format Preserve");
  const bool flat = format == MemoryFormat::channels_last;
  const std::size_t rank = flat ? 4 : 5;
  if (sizes.size() != rank)
    raise(ErrorClass::option, {std::to_string(rank), flat ? "channels_last" : "channels_last_3d"});
  Tensor made = empty_tensor(sizes, dtype);
  const DimVector strides = channels_last_strides(sizes);
  std::copy(strides.begin(), strides.end(), made.impl().strides());
  return made;
}

Tensor empty_like_in(const Tensor& self, Dtype dtype, MemoryFormat format) {
  if (format != MemoryFormat::preserve) return empty_in(self.sizes(), dtype, format);
  return empty_strided(self.sizes(), dense_strides(self.sizes(), self.strides()), dtype);
}

}  // namespace plumbline::optimized
