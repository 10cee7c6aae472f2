// The options of a factory besides sizes and dtype, and which of them a CPU has.
#pragma once

#include <optional>

#include "optimized/ops/boxed.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Numbered as in c10 [c10/core/MemoryFormat.h].
enum class MemoryFormat : std::uint8_t { contiguous, preserve, channels_last, channels_last_3d };

[[noreturn]] void raise_option(bool layout, bool device);

/// Raises option for a layout that is not strided, a device that is not the CPU, and pinned memory.
inline void check_options(const std::optional<Enumerated>& layout, const std::optional<Enumerated>& device,
                          const std::optional<bool>& pin_memory) {
  const bool other_layout = layout && *layout != 0;
  const bool other_device = device && *device != 0;
  if (other_layout || other_device || (pin_memory && *pin_memory)) [[unlikely]]
    raise_option(other_layout, other_device);
}

/// The requested format; raises option if there is no such format.
MemoryFormat memory_format_of(std::optional<Enumerated> asked, MemoryFormat otherwise);

/// A fresh tensor in this format, not initialised; raises option if `sizes` cannot have it.
Tensor empty_in(IntList sizes, Dtype dtype, MemoryFormat format);
/// The same with the sizes of `self`, whose layout is preserved as `clone` does.
Tensor empty_like_in(const Tensor& self, Dtype dtype, MemoryFormat format);

}  // namespace plumbline::optimized
