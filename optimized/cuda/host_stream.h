// The stream of CUDA on the host: work that is done later, in the order in which it was started.
#pragma once

#include <functional>

namespace plumbline::optimized::cuda {

/// Starts work, and returns at once. It is done when `synchronize` is called, or when much work waits. So what it uses
/// must be its own, or device memory. It must not throw, and may use device memory.
void start(std::function<void()> work);

/// Returns when all work that was started, on any thread, is done.
void synchronize() noexcept;

}  // namespace plumbline::optimized::cuda
