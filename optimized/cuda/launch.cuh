// Runs a kernel on the device.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "optimized/cuda/kernel.h"

namespace plumbline::optimized::cuda {

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

/// Starts it on the stream and returns at once. The result says what is wrong with the start, or with a kernel before
/// it.
template <Kernel K>
cudaError_t launch(const K& kernel, std::uint32_t blocks, cudaStream_t stream) {
  run_on_device<<<blocks, kThreads, 0, stream>>>(kernel);
  return cudaGetLastError();
}

}  // namespace plumbline::optimized::cuda
