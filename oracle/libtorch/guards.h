// LibTorch's guards, as a script enters them.
#pragma once

#include <memory>

#include "spec/statement.h"

namespace plumbline::libtorch {

/// What holds a guard; the guard is left when it is gone.
using Guard = std::shared_ptr<void>;

/// Enters a guard. Throws Unsupported where this LibTorch has no such guard.
Guard enter(const Enter& statement);

}  // namespace plumbline::libtorch
