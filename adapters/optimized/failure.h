// The optimized runtime's errors as failures with a class of the closed list.
#pragma once

#include "adapters/walk/unsupported.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::optimized {

using walk::Unsupported;

/// The exception being handled, as Python shows it. Call this in a handler of `std::exception`.
Failure current_failure();

}  // namespace plumbline::optimized
