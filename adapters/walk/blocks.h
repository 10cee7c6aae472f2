// Finding where each block of a script ends.
#pragma once

#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::walk {

/// For each statement that begins a block (a guard, a `Try`, a thread, a custom function's forward, a functionalized
/// body), the statement that ends it. Throws Unsupported if blocks do not nest.
std::vector<std::size_t> ends_of_blocks(const std::vector<Statement>& statements);

}  // namespace plumbline::walk
