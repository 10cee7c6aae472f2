// Pointwise calls that are done together, some thousand elements at a time, so that values between them stay in caches.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "optimized/lazy/node.h"
#include "optimized/lazy/plan.h"

namespace plumbline::optimized::lazy {

/// The memory of values; null for those that have none.
using Memories = std::vector<std::shared_ptr<Memory>>;

/// Does the calls of a tiled step. The memory of its operands, and of its values that need some, is there.
void run_tiled(const Plan& plan, const Plan::Step& step, std::span<const std::shared_ptr<Memory>> memories);

}  // namespace plumbline::optimized::lazy
