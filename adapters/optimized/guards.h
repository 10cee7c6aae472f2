// Entering the optimized runtime's guards.
#pragma once

#include <memory>

#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

/// Holds a guard; its destructor leaves the guard.
using Guard = std::shared_ptr<void>;

/// Enters a guard.
Guard enter(const Enter& statement);

}  // namespace plumbline::optimized
