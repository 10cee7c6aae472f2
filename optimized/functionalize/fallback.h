// Operators that the op table does not know, in functionalized calls.
#pragma once

#include <array>

#include "optimized/dispatcher/dispatcher.h"

namespace plumbline::optimized {

/// The kernel at Functionalize and at FuncTorchDynamicLayerFrontMode for every operator without a kernel there. Its
/// arguments are a Stack. It warns once for each operator, since nothing says what the operator aliases and writes. It
/// is correct in any case: writes to functional tensors stay in the body, a result that shares memory with one is
/// functional, and the operator gets a copy of a captured tensor. Raises ErrorClass::captured_write if it wrote that
/// copy, and ErrorClass::unclassified if it returns memory that others hold and that it did not get
/// [aten/src/ATen/FunctionalizeFallbackKernel.cpp, functionalizeFallback, refuses what says that it aliases or writes].
std::array<ShippedFallbackKernel, 2> functionalize_fallbacks();

}  // namespace plumbline::optimized
