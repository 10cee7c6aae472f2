// CUDA on the host: every kernel runs block by block, on memory that nothing else can touch.
#include "optimized/cuda/host.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <new>
#include <vector>

#include "optimized/cuda/host_grid.h"
#include "optimized/cuda/host_memory.h"
#include "optimized/cuda/host_stream.h"
#include "optimized/cuda/launches.h"
#include "optimized/cuda/recorded.h"
#include "optimized/cuda/stream_device.h"
#include "optimized/ops/backends.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda {

namespace {

/// How many kernels the thread has started.
thread_local std::size_t kernels_run = 0;

struct OnHost {
  template <Kernel K>
  static void run(const K& kernel, std::uint32_t blocks) {
    constexpr std::array kOrders{Order::forward, Order::backward, Order::inside_out};
    start([kernel, blocks, order = kOrders.at(kernels_run++ % kOrders.size())] { run_on_host(kernel, blocks, order); });
  }

  /// So few that a thread makes several numbers of a small tensor.
  static std::uint32_t multiprocessors() { return 1; }

  /// The host has no graphs.
  static Start together(const Start& start_all) {
    start_all();
    return start_all;
  }

  /// In the place of cuBLAS.
  static void gemm(const Gemm& it) {
    start([it] {
      const auto matrix = [](const BlasMatrix& one, std::int64_t rows, std::int64_t columns) {
        return one.turned ? MatrixOperand{one.data, rows, columns, one.step, 1}
                          : MatrixOperand{one.data, rows, columns, 1, one.step};
      };
      const MatrixOperand c = matrix(it.c, it.rows, it.columns);
      MatrixOperand added = c;
      std::vector<std::byte> before;
      if (it.beta != 0) {  // what is added is other memory than the result
        const std::int64_t elements = it.c.step * (it.columns - 1) + it.rows;
        before.assign(c.data, c.data + elements * item_size(it.dtype));
        added.data = before.data();
      }
      kCpuPrimitives.multiply(it.dtype, c, it.alpha, matrix(it.a, it.rows, it.inner),
                              matrix(it.b, it.inner, it.columns), it.beta, added);
    });
  }
};

/// Pinned memory is the CPU's own. A copy reads or writes it when the stream comes to it.
constexpr auto kCopyLater = [](std::byte* to, const std::byte* from, std::size_t bytes) {
  start([=] { std::memcpy(to, from, bytes); });
};
constexpr StreamDevice kHostStreams{
    .handle = [](std::uint32_t) -> void* { return nullptr; },
    .mark = mark_on_host,
    .synchronize = [](std::uint32_t stream) { synchronize_on_host(stream); },
    .pool = host_pool,
    .allocate_pinned = [](std::size_t bytes) -> std::byte* {
      auto* const memory = new (std::nothrow) std::byte[bytes];  // NOLINT(*-owning-memory): release_pinned's
      if (memory == nullptr) raise_no_memory(bytes);
      return memory;
    },
    .release_pinned = [](std::byte* memory) noexcept { delete[] memory; },  // NOLINT(*-owning-memory)
    .copy_to_device = kCopyLater,
    .copy_to_host = kCopyLater,
};

}  // namespace

void run_on_the_host() {
  register_backend(Backend::CUDA, kPrimitivesBy<Recorded<OnHost>>, host_memory());
  set_stream_device(kHostStreams);
}

void record_on_the_host(const std::function<void()>& body) {
  if (Recording::here() != nullptr) return body();  // a part of the recording
  Recording recording(host_pool(), Recorded<OnHost>::kStarter);
  body();
  recording.finish();
}

Graph graph_on_the_host(const std::function<void()>& body) { return {host_pool(), Recorded<OnHost>::kStarter, body}; }

void start_again() {
  kernels_run = 0;
  give_back_host_memory();  // what still waits is no part of it
  begin_orders_again();
}

}  // namespace plumbline::optimized::cuda
