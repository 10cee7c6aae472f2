// Running one script on LibTorch.
#pragma once

#include "adapters/protocol/protocol.h"

namespace plumbline::libtorch {

/// The description of this LibTorch.
Description description();

/// Runs the script with fresh variables, and restores the thread's state.
std::variant<Trace, CannotRun> run(const Script& script);

}  // namespace plumbline::libtorch
