// Running one script on the optimized runtime.
#pragma once

#include "adapters/protocol/protocol.h"

namespace plumbline::optimized {

/// The description of the runtime.
Description description();

/// Runs the script with fresh variables, and restores the thread's state. Half of all scripts are traced, chosen by
/// their content. A traced call is boxed and shows its kernels; any other call goes directly from kernel to kernel. So
/// both paths are compared.
std::variant<Trace, CannotRun> run(const Script& script);

/// The same, traced or not.
std::variant<Trace, CannotRun> run(const Script& script, bool traced);

}  // namespace plumbline::optimized
