// Programs about the dispatcher on the optimized runtime.
#pragma once

#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::optimized {

/// Runs a script in a dispatcher of its own, and restores the calling thread's state.
DispatchTrace run_dispatch(const DispatchScript& script);

}  // namespace plumbline::optimized
