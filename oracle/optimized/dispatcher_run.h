// Programs about the dispatcher on the optimized runtime.
#pragma once

#include "spec/dispatch_script.h"

namespace plumbline::optimized {

/// Runs a script in a dispatcher of its own; the calling thread's state is as before, afterwards.
DispatchTrace run_dispatch(const DispatchScript& script);

}  // namespace plumbline::optimized
