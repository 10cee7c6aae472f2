// The primitives on a GPU: every kernel that they start, compiled for it.
#include "optimized/cuda/cublas.h"
#include "optimized/cuda/gpu_primitives.h"
#include "optimized/cuda/launch.cuh"
#include "optimized/cuda/launches.h"
#include "optimized/cuda/recorded.h"

namespace plumbline::optimized::cuda {

namespace {

struct OnDevice {
  template <Kernel K>
  static void run(const K& kernel, std::uint32_t blocks) {
    launch(kernel, blocks);
  }
  static void gemm(const Gemm& it) { cublas::gemm(it, stream()); }
  static std::uint32_t multiprocessors() { return cuda::multiprocessors(); }
  static Start together(const Start& start_all) { return start_as_graph(start_all); }
};

}  // namespace

const Primitives& gpu_primitives() { return kPrimitivesBy<Recorded<OnDevice>>; }
const Starter& gpu_starter() { return Recorded<OnDevice>::kStarter; }

}  // namespace plumbline::optimized::cuda
