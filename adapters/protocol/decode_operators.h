// Reading a script's own operators: schemas, kernels, and the statements that register and call them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "adapters/protocol/cursor.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::protocol {

/// The statement at `c` if `what` registers with a library or calls an operator.
std::optional<StatementKind> of_operators(std::string_view what, const Cursor& c);

/// The schemas of a script's operators.
std::vector<CustomOperator> operators(const Cursor& c);

/// A kernel, without its statements.
CustomKernel kernel(const Cursor& c);

}  // namespace plumbline::protocol
