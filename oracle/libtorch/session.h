// Running one script on LibTorch.
#pragma once

#include "oracle/protocol/protocol.h"

namespace plumbline::libtorch {

/// What this LibTorch is and shows.
Description description();

/// Runs the script with fresh variables, and leaves the thread as it found it.
std::variant<Trace, CannotRun> run(const Script& script);

}  // namespace plumbline::libtorch
