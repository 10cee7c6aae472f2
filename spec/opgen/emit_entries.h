// The C++ entry points of the ops: what a user of the optimized runtime calls.
#pragma once

#include <string>

#include "spec/opgen/table.h"

namespace plumbline::opgen {

/// The header optimized/ops.h: for each op its signature and what generated kernels ask of the table, and a function
/// that calls it by PyTorch's name.
std::string entries_header(const Table& table);

}  // namespace plumbline::opgen
