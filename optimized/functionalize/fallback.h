// Operators that the op table does not know, where calls are functionalized.
#pragma once

#include <array>

#include "optimized/dispatcher/dispatcher.h"

namespace plumbline::optimized {

/// What stands at Functionalize and at FuncTorchDynamicLayerFrontMode for every operator without a kernel there. Its
/// arguments are a Stack. It warns, once for each operator, since nothing says what the operator aliases and writes,
/// and is right whatever that is: what it writes of functional tensors stays in the body; what shares memory with one
/// is functional; a captured tensor it is lent as a copy. Raises ErrorClass::captured_write where it wrote that copy,
/// and ErrorClass::unclassified where it gives memory that others hold and that it was not given
/// [aten/src/ATen/FunctionalizeFallbackKernel.cpp, functionalizeFallback, refuses what says that it aliases or writes].
std::array<ShippedFallbackKernel, 2> functionalize_fallbacks();

}  // namespace plumbline::optimized
