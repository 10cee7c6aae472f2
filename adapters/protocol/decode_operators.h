// Reading a script's own operators: schemas, kernels, and the statements that register and call them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/cursor.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::protocol {

/// The statement at `c` if `what` registers with a library, asks about it or calls an operator, or if it is about the
/// log or raises an error.
std::optional<StatementKind> of_operators(std::string_view what, const Cursor& c);

/// An argument. Its JSON type says what it is; an integer is never read as a float.
Value value(const Cursor& c);

/// The schemas of a script's operators.
std::vector<CustomOperator> operators(const Cursor& c);

/// A kernel, without its statements.
CustomKernel kernel(const Cursor& c);

/// The name of a runtime key.
std::string runtime_key(const Cursor& c);

/// Checks that a statement at `c` uses a key set, a number of a kernel, or arguments to pass on, only if it has them;
/// `kernel`: the one around it, or null.
void check_key_set(const StatementKind& kind, const CustomKernel* kernel, const Cursor& c);

}  // namespace plumbline::protocol
