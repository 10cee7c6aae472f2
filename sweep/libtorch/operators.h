// The operators of this LibTorch.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <vector>

#include "sweep/operator.h"

namespace plumbline::sweep::libtorch {

/// Every operator that the dispatcher knows by a schema, in the order of their names.
std::vector<Operator> operators();

/// The operator of this name, "aten::add_.Tensor". Throws std::runtime_error if there is none.
c10::OperatorHandle handle_of(const std::string& full_name);

}  // namespace plumbline::sweep::libtorch
