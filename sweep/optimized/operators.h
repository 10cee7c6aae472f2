// The operators of the optimized runtime, which are those of the op table.
#pragma once

#include <string>
#include <vector>

#include "spec/ops/ops.h"
#include "sweep/operator.h"

namespace plumbline::sweep::optimized {

/// Every operator of the table, in the order of their names.
std::vector<Operator> operators();

/// The operator of this name, "aten::add_.Tensor". Throws std::runtime_error if there is none.
OpId id_of(const std::string& full_name);

}  // namespace plumbline::sweep::optimized
