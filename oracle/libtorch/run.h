// One script's way through LibTorch: its variables, its blocks, and where an error leads.
#pragma once

#include "spec/observation.h"

namespace plumbline::libtorch {

/// Runs the script with fresh variables, and leaves the thread as it found it. Throws Unsupported where this LibTorch,
/// or this adapter, cannot.
Trace run_script(const Script& script);

}  // namespace plumbline::libtorch
