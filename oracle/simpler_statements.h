// Making a statement smaller, for the minimiser.
#pragma once

#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// A statement's simpler forms, the simplest first: smaller numbers, fewer tensors, no options.
std::vector<StatementKind> simpler(const StatementKind& kind);

/// Those of a call of the program's own operators: without its results, and with fewer steps of its key set. Some fit
/// nowhere.
std::vector<StatementKind> simpler_call(const StatementKind& kind);

}  // namespace plumbline
