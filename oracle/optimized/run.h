// Running one script on the optimized runtime.
#pragma once

#include "oracle/protocol/protocol.h"

namespace plumbline::optimized {

/// What the runtime is and shows.
Description description();

/// Runs the script with fresh variables, and leaves the thread as it found it. Every second script, by what is in it,
/// is traced: a traced call is boxed and shows its kernels, any other goes from one kernel to the next directly, so
/// that comparing scripts compares both ways.
std::variant<Trace, CannotRun> run(const Script& script);

/// The same, traced or not.
std::variant<Trace, CannotRun> run(const Script& script, bool traced);

}  // namespace plumbline::optimized
