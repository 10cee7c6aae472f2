// Performing an experiment in this LibTorch.
#pragma once

#include "sweep/experiment.h"

namespace plumbline::sweep::libtorch {

/// Throws Unsupported if an argument cannot be made. An error of the operator is in the observation.
Observation perform(const Experiment& experiment);

}  // namespace plumbline::sweep::libtorch
