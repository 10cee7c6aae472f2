// The tensors and arguments of an experiment as the optimized runtime's.
#pragma once

#include "optimized/tensor/tensor.h"
#include "spec/vocabulary/statement.h"
#include "sweep/experiment.h"

namespace plumbline::sweep::optimized {

using plumbline::optimized::Tensor;

/// A new tensor of the current mode, no view of another. Throws walk::Unsupported for a dtype that there is not.
Tensor make(const Ingredient& ingredient);

/// The call, with a slot for each tensor of the experiment. Throws walk::Unsupported for a value that there is not,
/// nlohmann::json::exception for one of another type than the schema's, and std::runtime_error for an unknown operator.
Call call_of(const Experiment& experiment);

}  // namespace plumbline::sweep::optimized
