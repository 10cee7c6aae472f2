// Checking that a script's memory is freed when the script has ended.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Records that a script sets `tensor`'s `.grad`. Does nothing unless cycles will be cut.
void script_sets_grad(const Tensor& tensor);
/// Records that backward from these tensors gives its leaves a `.grad` with a history (create_graph=True).
void script_records_gradients(std::span<const Tensor> roots);
/// Records the results of a call. If a result is a variable, the call wrote it, and each variable may be part of a
/// cycle.
void script_calls(const std::vector<Tensor>& results, std::span<const Tensor> variables);

/// Memory was not freed: an error of the runtime. It ends the adapter, so that the report names the program.
struct MemoryKept {
  std::string why;
};

/// Runs a script by `run`, which has released all its tensors when it returns. If more bytes are then in use than
/// before, runs it a second time by `run_again`, and at its end cuts the reference cycles that a script itself can
/// make: `x.grad = y`, or a `.grad` made with create_graph=True, whose history leads to x; and a write to x, if a node
/// in the write's history has saved x. PyTorch does not free these either. Throws MemoryKept if bytes are still in use.
void run_and_count(const std::function<void()>& run, const std::function<void()>& run_again);

}  // namespace plumbline::optimized
