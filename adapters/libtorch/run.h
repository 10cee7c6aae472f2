// Running a script on LibTorch, without its version and description.
#pragma once

#include "spec/vocabulary/observation.h"

namespace plumbline::libtorch {

/// Runs the script with fresh variables, and restores the thread's state. Throws Unsupported if this LibTorch or this
/// adapter cannot run it.
Trace run_script(const Script& script);

}  // namespace plumbline::libtorch
