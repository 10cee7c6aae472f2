// The optimized runtime's guards, as a script enters them.
#pragma once

#include <memory>

#include "spec/statement.h"

namespace plumbline::optimized {

/// What holds a guard; the guard is left when it is gone.
using Guard = std::shared_ptr<void>;

/// Enters a guard.
Guard enter(const Enter& statement);

}  // namespace plumbline::optimized
