// Entering LibTorch's guards.
#pragma once

#include <memory>

#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Holds a guard; its destructor leaves the guard.
using Guard = std::shared_ptr<void>;

/// Enters a guard. Throws Unsupported if this LibTorch has no such guard.
Guard enter(const Enter& statement);

}  // namespace plumbline::libtorch
