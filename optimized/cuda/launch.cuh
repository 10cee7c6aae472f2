// Runs kernels on the GPU, in the thread's stream, and reports what went wrong.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/recording.h"
#include "optimized/cuda/stream_device.h"

namespace plumbline::optimized::cuda {

/// The thread's stream (streams.h), in which its work is started.
cudaStream_t stream();

/// Makes the default stream; before all others.
cudaError_t make_default_stream();

/// What streams need of the GPU, which has this pool.
StreamDevice gpu_stream_device(BlockPool& (*pool)());
std::shared_ptr<const Mark> mark_on_gpu(std::uint32_t stream);

/// Whether a kernel failed in a stream, after which no call works any more.
bool is_gpu_lost();

/// Raises what CUDA says is wrong; throws DeviceLost if no later call can work. What failed may be something that was
/// started before.
void check(cudaError_t error);

/// How many the GPU has.
std::uint32_t multiprocessors();

/// Starts all that `start_all` starts in the thread's stream, as one graph. What it returns does so again, in the
/// stream of the thread that calls it.
Start start_as_graph(const Start& start_all);

template <Kernel K, std::size_t... P>
__device__ void run_phases(const K& kernel, const Place& place, typename K::Shared& shared, std::index_sequence<P...>) {
  typename K::Own own;
  ((P == 0 ? void() : __syncthreads(), kernel.template phase<static_cast<int>(P)>(place, shared, own)), ...);
}

template <Kernel K>
__global__ void __launch_bounds__(kThreads) run_on_device(const __grid_constant__ K kernel) {
  __shared__ typename K::Shared shared;
  run_phases(kernel, {blockIdx.x, gridDim.x, threadIdx.x}, shared,
             std::make_index_sequence<static_cast<std::size_t>(K::kPhases)>());
}

/// Starts it, and returns at once.
template <Kernel K>
void launch(const K& kernel, std::uint32_t blocks) {
  run_on_device<<<blocks, kThreads, 0, stream()>>>(kernel);
  check(cudaGetLastError());
}

}  // namespace plumbline::optimized::cuda
