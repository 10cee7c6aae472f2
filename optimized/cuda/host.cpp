// CUDA on the host: every kernel runs block by block, on memory that nothing else can touch.
#include "optimized/cuda/host.h"

#include <array>

#include "optimized/cuda/host_grid.h"
#include "optimized/cuda/host_memory.h"
#include "optimized/cuda/launches.h"
#include "optimized/ops/backends.h"

namespace plumbline::optimized::cuda {

namespace {

/// How many kernels the thread has run.
thread_local std::size_t kernels_run = 0;

struct OnHost {
  template <Kernel K>
  static void run(const K& kernel, std::uint32_t blocks) {
    constexpr std::array kOrders{Order::forward, Order::backward, Order::inside_out};
    const HostAccess access;
    run_on_host(kernel, blocks, kOrders.at(kernels_run++ % kOrders.size()));
  }

  /// In the place of cuBLAS.
  static void multiply(Dtype dtype, const MatrixOperand& out, Scalar factor, const MatrixOperand& left,
                       const MatrixOperand& right, Scalar added_factor, const MatrixOperand& added) {
    const HostAccess access;
    kCpuPrimitives.multiply(dtype, out, factor, left, right, added_factor, added);
  }
};

using Host = Launches<OnHost>;

constexpr Primitives kHostPrimitives{
    .copy = Host::copy,
    .fill = Host::fill,
    .count = Host::count,
    .arithmetic = Host::arithmetic,
    .unary = Host::unary,
    .slope = Host::slope,
    .compare = Host::compare,
    .choose = Host::choose,
    .fill_where = Host::fill_where,
    .sum = Host::sum,
    .extreme = Host::extreme,
    .search = Host::search,
    .softmax = Host::softmax,
    .gather = Host::gather,
    .scatter_add = Host::scatter_add,
    .add_up = Host::add_up,
    .multiply = OnHost::multiply,
};

}  // namespace

void run_on_the_host() { register_backend(Backend::CUDA, kHostPrimitives, host_memory()); }

void restart_orders() { kernels_run = 0; }

}  // namespace plumbline::optimized::cuda
