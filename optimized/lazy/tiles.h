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

/// How a tiled step of a plan is done, whose `in_memory` is known.
TileProgram tile_program(const Plan& plan, const Plan::Step& step);

/// Does it. The memory of its operands, and of its values that need some, is there.
void run_tiled(const Plan& plan, const TileProgram& program, std::span<const std::shared_ptr<Memory>> memories);

}  // namespace plumbline::optimized::lazy
