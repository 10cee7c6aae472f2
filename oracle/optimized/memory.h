// Whether a script's memory comes back when the script has ended.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Tells the watch that a script sets `tensor`'s `.grad`. Nothing where no rings are cut.
void script_sets_grad(const Tensor& tensor);
/// Tells it what a call gave: where that is a variable, the call wrote it, and each variable may be part of a ring.
void script_calls(const std::vector<Tensor>& results, std::span<const Tensor> variables);

/// Memory did not come back: an error of the runtime. It ends the adapter, so that the program is named.
struct MemoryKept {
  std::string why;
};

/// Runs a script by `run`, which has let go of all its tensors when it returns. Where bytes are in use behind it that
/// were not before, runs it a second time by `run_again` and cuts at its end the rings that a script itself can tie:
/// `x.grad = y`, where y's history leads to x, and a write to x after something that the write's history leads to has
/// saved x. PyTorch frees these neither. Throws MemoryKept where bytes stay in use even so.
void run_and_count(const std::function<void()>& run, const std::function<void()>& run_again);

}  // namespace plumbline::optimized
