// Running dispatch scripts on LibTorch's own dispatcher.
#pragma once

#include "adapters/protocol/dispatch.h"

namespace plumbline::libtorch {

/// Registers the script's libraries and kernels, makes its calls, and removes everything again. An error that LibTorch
/// raises is an outcome.
DispatchTrace run_dispatch(const DispatchScript& script);

}  // namespace plumbline::libtorch
