// Making the kernels of a script's own operators smaller, for the minimiser.
#pragma once

#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Each script in which one thing is left out of a kernel: a statement, a guard, a step of a key set, the key set, what
/// it passes back; or in which a kernel returns its first argument instead of another tensor, or logs its name instead
/// of its key set. Some are not well-formed.
std::vector<Script> with_simpler_kernels(const Script& script);

}  // namespace plumbline
