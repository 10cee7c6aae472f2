// The primitives on the device: every kernel that they launch, compiled for it.
#include <string>

#include "optimized/cuda/launch.cuh"
#include "optimized/cuda/launches.h"

namespace plumbline::optimized::cuda {

namespace {

/// Starts kernels on the default stream.
struct OnDevice {
  template <Kernel K>
  static void run(const K& kernel, std::uint32_t blocks) {
    if (const cudaError_t error = launch(kernel, blocks, nullptr); error != cudaSuccess)
      raise_saying(ErrorClass::unclassified, std::string("CUDA error: ") + cudaGetErrorString(error));
  }
};

}  // namespace

template struct Launches<OnDevice>;

}  // namespace plumbline::optimized::cuda
