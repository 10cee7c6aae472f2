// Making a script's own operators smaller, for the minimiser.
#pragma once

#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Each script in which one thing is left out: an operator that nothing calls, a kernel, a statement or a guard of a
/// kernel; or in which a kernel returns its first argument instead of another tensor. Some are not well-formed.
std::vector<Script> with_simpler_operators(const Script& script);

}  // namespace plumbline
