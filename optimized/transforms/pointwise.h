// Which ops run once for all examples.
#pragma once

#include "spec/ops/ops.h"

namespace plumbline::optimized {

/// Whether an element of the result, or of the written tensor, depends on the elements at its place alone.
bool is_pointwise(OpId id);

/// Whether the dtype of an argument plays a part in type promotion.
inline bool is_promoted(const Argument& argument) { return argument.name != "mask" && argument.name != "condition"; }

}  // namespace plumbline::optimized
