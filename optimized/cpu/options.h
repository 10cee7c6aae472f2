// The options of a factory besides sizes and dtype, and which of them a CPU has.
#pragma once

#include <optional>

#include "optimized/ops/boxed.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/dim_vector.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Numbered as in c10 [c10/core/MemoryFormat.h].
enum class MemoryFormat : std::uint8_t { contiguous, preserve, channels_last, channels_last_3d };

[[noreturn]] void raise_option(bool layout, bool device);

/// Raises option for a layout that is not strided, a device that is not the thread's, and pinned memory.
inline void check_options(const std::optional<Enumerated>& layout, const std::optional<Enumerated>& device,
                          const std::optional<bool>& pin_memory) {
  const bool other_layout = layout && *layout != 0;
  const bool other_device = device && *device != device_number(thread_state().device);
  if (other_layout || other_device || (pin_memory && *pin_memory)) [[unlikely]]
    raise_option(other_layout, other_device);
}

[[noreturn]] void raise_no_format(Enumerated asked);

/// The requested format; raises option if there is no such format.
inline MemoryFormat memory_format_of(std::optional<Enumerated> asked, MemoryFormat otherwise) {
  if (!asked) return otherwise;
  if (*asked < 0 || *asked > static_cast<Enumerated>(MemoryFormat::channels_last_3d)) [[unlikely]]
    raise_no_format(*asked);
  return static_cast<MemoryFormat>(*asked);
}

/// Whether its elements are without gaps, channels running fastest.
bool is_contiguous_with_channels_last(const Tensor& self, MemoryFormat format);
/// Whether its elements are without gaps in the order of this format.
inline bool is_contiguous_in(const Tensor& self, MemoryFormat format) {
  if (format == MemoryFormat::contiguous || format == MemoryFormat::preserve) return self.is_contiguous();
  return is_contiguous_with_channels_last(self, format);
}
/// The format that its strides are like; row-major, if they are like several.
MemoryFormat suggested_format(const Tensor& self);

/// Whether a tensor of these sizes can have this format, which is not `preserve`.
bool can_have(IntList sizes, MemoryFormat format);
/// The strides of this format, which is not `preserve`; raises option if `sizes` cannot have it.
DimVector strides_in(IntList sizes, MemoryFormat format);
/// A fresh tensor in this format, not initialised; raises option if `sizes` cannot have it.
Tensor empty_in(IntList sizes, Dtype dtype, MemoryFormat format);
/// The same with the sizes of `self`, whose layout is preserved as `clone` does.
Tensor empty_like_in(const Tensor& self, Dtype dtype, MemoryFormat format);

}  // namespace plumbline::optimized
