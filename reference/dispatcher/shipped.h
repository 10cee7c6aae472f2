// The kernels that are not a program's own: the fallthrough, and the fallbacks that a version of PyTorch registers.
#pragma once

#include <array>

#include "reference/dispatcher/table.h"

namespace plumbline::reference {

/// Their numbers come after those of a program's kernels.
inline constexpr KernelId kFallthrough = 1'000'000;
inline constexpr KernelId kAutogradFallback = kFallthrough + 1;
inline constexpr KernelId kMetaFallback = kFallthrough + 2;
inline constexpr KernelId kForeign = kFallthrough + 3;

/// The fallbacks that the version registers for every operator.
inline Fallbacks shipped_fallbacks(const KeyLayout& layout) {
  constexpr std::array kernels{kNoKernel, kFallthrough, kAutogradFallback, kMetaFallback, kForeign};
  Fallbacks fallbacks;
  for (int i = 0; i < table_size(layout); ++i)
    fallbacks.push_back(kernels[static_cast<std::size_t>(shipped_fallback(layout, key_at(layout, i)))]);
  return fallbacks;
}

}  // namespace plumbline::reference
