// CUDA on a GPU: what the runtime needs of one, and why it cannot be used.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "optimized/cuda/block_pool.h"
#include "optimized/cuda/recording.h"

namespace plumbline::optimized::cuda {

/// Gives the runtime the device CUDA, the first GPU; once in a process. Tensors take at most `most_bytes` of its
/// memory, and at most what is free now; 0: no other limit. Returns why there is none that it can use, and what to do;
/// empty if there is one.
std::string run_on_a_gpu(std::size_t most_bytes);

/// The GPU, its driver and the CUDA that this was built with: "NVIDIA H200, driver 13.0, CUDA 13.0".
std::string gpu_name();

/// Runs the body. What it starts on the GPU is recorded, and done after it as one CUDA graph (recording.h). Meanwhile
/// no other thread may work on the GPU.
void record_on_a_gpu(const std::function<void()>& body);

/// The same, as a CUDA graph that can be done again.
Graph graph_on_a_gpu(const std::function<void()>& body);

/// Memory of the GPU.
PoolCounts gpu_memory();

/// Returns when the GPU has done all that was started.
void wait_for_gpu();

/// A kernel failed in a way after which no call of CUDA works in this process. It is thrown at the next call that
/// observes something or starts a kernel.
struct DeviceLost {
  std::string why;
};

}  // namespace plumbline::optimized::cuda
