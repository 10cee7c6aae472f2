// New sizes for the same elements: what -1 stands for, and the strides over the same memory.
#pragma once

#include <optional>

#include "reference/memory.h"

namespace plumbline::reference {

/// `asked` with the size that -1 stands for; raises where the sizes do not fit so many elements.
Sizes whole_sizes(const Judge& judge, const Sizes& asked, std::int64_t elements);

/// The strides of `view(sizes)` over the same memory, or nothing where there are none
/// [aten/src/ATen/TensorUtils.cpp, computeStride].
std::optional<Sizes> view_strides(const Sizes& old_sizes, const Sizes& old_strides, const Sizes& sizes);

}  // namespace plumbline::reference
