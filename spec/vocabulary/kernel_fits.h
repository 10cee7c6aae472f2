// Whether a program's kernels fit the operators that they are registered for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Whether the kernel never returns, because its last statement is a RaiseError.
bool always_raises(const CustomKernel& kernel);

/// Whether some statement of the script's own defines the operator. One that is never defined is never called, and has
/// no arguments and no returns in `Script::operators`.
bool is_ever_defined(const Script& script, std::int32_t op);

/// What kind of kernel `op` needs if this one does not fit: "a kernel with 1 parameters and 2 returned". Empty if it
/// fits: it takes and returns as many values, or never returns, what it reads as a number is one, and where it passes
/// its arguments on, `operators` (the script's) take values of the same kinds. An operator that is never defined takes
/// every kernel.
std::string misfit(const CustomKernel& kernel, const CustomOperator& op, const std::vector<CustomOperator>& operators);

}  // namespace plumbline
