// Runs kernels on the GPU, in its stream, and reports what went wrong.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/recording.h"

namespace plumbline::optimized::cuda {

/// The stream in which all work of the runtime is done, in the order of the calls.
cudaStream_t stream();

/// Raises what CUDA says is wrong; throws DeviceLost if no later call can work. What failed may be something that was
/// started before.
void check(cudaError_t error);

/// How many the GPU has.
std::uint32_t multiprocessors();

/// Starts all that `start_all` starts in the stream, as one graph. What it returns does so again.
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
