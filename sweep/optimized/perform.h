// Performing an experiment on the optimized runtime.
#pragma once

#include <array>

#include "sweep/experiment.h"

namespace plumbline::sweep::optimized {

/// The settings that the runtime has.
inline constexpr std::array kSettingsHere{Setting::normal,  Setting::no_grad,           Setting::inference,
                                          Setting::escaped, Setting::inference_tensors, Setting::functionalized,
                                          Setting::backward};

/// Throws std::exception for what cannot be made. An error of the operator is in the observation.
Observation perform(const Experiment& experiment);

}  // namespace plumbline::sweep::optimized
