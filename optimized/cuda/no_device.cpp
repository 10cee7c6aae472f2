// CUDA on a GPU, in an executable that was built without the CUDA Toolkit.
#include "optimized/cuda/device.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda {

std::string run_on_a_gpu(std::size_t /*most_bytes*/) {
  return "this executable was built without the CUDA Toolkit; plumbline-optimized-cuda is the one that has it";
}
std::string gpu_name() { return {}; }
void record_on_a_gpu(const std::function<void()>& body) { body(); }
Graph graph_on_a_gpu(const std::function<void()>& /*body*/) {
  raise_saying(ErrorClass::option, "there is no device CUDA here");
}
PoolCounts gpu_memory() { return {}; }
void wait_for_gpu() {}

}  // namespace plumbline::optimized::cuda
