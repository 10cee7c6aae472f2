// Making a statement smaller, for the minimiser.
#pragma once

#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// A statement's simpler forms, the simplest first: smaller numbers, fewer tensors, no options.
std::vector<StatementKind> simpler(const StatementKind& kind);

}  // namespace plumbline
