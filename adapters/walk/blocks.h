// Finding where each block of a script ends.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::walk {

/// For each statement that begins a block (a guard, a `Try`, a thread, its wait, a custom function's forward, a
/// functionalized body, the body of a transform), the statement that ends it. Throws Unsupported if blocks do not nest.
std::vector<std::size_t> ends_of_blocks(const std::vector<Statement>& statements);

/// Statements to run in order, and whether the trace gets their outcomes: not those of a backward body.
struct Body {
  const std::vector<Statement>& statements;
  std::vector<std::size_t> ends;
  bool observed;
};

/// Where a thread that runs the statements from `first` up to `last` would wait next; nothing: nowhere.
std::optional<std::size_t> next_pause(const Body& body, std::size_t first, std::size_t last);

}  // namespace plumbline::walk
