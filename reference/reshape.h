// New sizes for the same elements: the size for -1, and the strides over the same memory.
#pragma once

#include <optional>

#include "reference/memory.h"

namespace plumbline::reference {

/// `asked` with the size for -1 filled in; raises an error if the sizes do not fit that many elements.
Sizes whole_sizes(const Judge& judge, const Sizes& asked, std::int64_t elements);

/// The strides of `view(sizes)` over the same memory, or nothing if there are none
/// [aten/src/ATen/TensorUtils.cpp, computeStride].
std::optional<Sizes> view_strides(const Sizes& old_sizes, const Sizes& old_strides, const Sizes& sizes);

}  // namespace plumbline::reference
