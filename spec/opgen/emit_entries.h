// The C++ entry points of the ops, for users of the optimized runtime.
#pragma once

#include <string>

#include "spec/opgen/table.h"

namespace plumbline::opgen {

/// The header optimized/ops.h: for each op its signature, the columns that generated kernels use, and a function with
/// PyTorch's name that calls it.
std::string entries_header(const Table& table);

}  // namespace plumbline::opgen
