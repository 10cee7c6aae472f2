// Whether guards, key sets and kernels have what they need, wherever they stand in a script.
#pragma once

#include <string_view>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Whether the name is that of a runtime key, and not Undefined.
bool key_fits(std::string_view name);

/// Whether a guard names a key if it takes one, and none otherwise.
bool guard_fits(const Enter& enter);

/// Whether the steps make a key set. `keyed`: there is a key set `ks` to start from; without one the first step is
/// `only`, which stands nowhere else.
bool steps_fit(const std::vector<KeyStep>& steps, bool keyed);

/// Whether the kernel's parameters and results fit its `any_arguments` and `returns_passed`.
bool shape_fits(const CustomKernel& kernel);

/// Whether the kernel passes its arguments to the operator that was called, as only a fallback can.
bool calls_the_called_operator(const CustomKernel& kernel);

}  // namespace plumbline
