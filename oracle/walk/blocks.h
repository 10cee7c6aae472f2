// Which statements of a script begin and end a block, and where each block ends.
#pragma once

#include <vector>

#include "spec/statement.h"

namespace plumbline::walk {

/// For each statement that begins a block (a guard, a `Try`, a thread, a custom function's forward, a body
/// that is functionalized), where the block
/// ends. Throws Unsupported where blocks do not nest.
std::vector<std::size_t> ends_of_blocks(const std::vector<Statement>& statements);

}  // namespace plumbline::walk
