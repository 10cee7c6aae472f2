// Our side of the lazy rows, on the CPU and on the lazy device.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>

#include "bench/lazy/rows.h"
#include "optimized/cpu/parallel.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/lazy/lazy.h"
#include "optimized/ops.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/pool.h"

namespace plumbline::bench::lazy {

namespace {

template <Backend kDevice>
struct Ours {
  using Tensor = optimized::Tensor;
  using Sizes = std::vector<std::int64_t>;

  static Tensor input(const Sizes& sizes) {
    const optimized::DeviceGuard guard(kDevice);
    return optimized::rand(sizes);
  }
  static Tensor add(const Tensor& a, const Tensor& b) { return optimized::add(a, b); }
  static Tensor mul(const Tensor& a, const Tensor& b) { return optimized::mul(a, b); }
  static Tensor relu(const Tensor& a) { return optimized::relu(a); }
  static Tensor tanh(const Tensor& a) { return optimized::tanh(a); }
  static Tensor mm(const Tensor& a, const Tensor& b) { return optimized::mm(a, b); }
  static Tensor t(const Tensor& a) { return optimized::t(a); }
  static Tensor softmax(const Tensor& a) { return optimized::softmax(a, -1, std::nullopt); }
  /// On the lazy device, a read of one element has all computed.
  static void finish(const Tensor& made) {
    if (kDevice == Backend::CPU) return;
    float first = 0;
    optimized::memory_of(kDevice).copy_to_cpu(reinterpret_cast<std::byte*>(&first), made.storage()->data(),
                                              sizeof(first));
  }
};

/// A node of an op with two operands of four dimensions, and a tensor.
struct Node {
  std::int64_t references = 1;
  std::array<Node*, 2> operands{};
  std::array<std::int64_t, 16> sizes_and_strides{};
};
struct alignas(64) Plain {
  Node* node = nullptr;
  std::array<std::int64_t, 12> metadata{};
};

}  // namespace

Measured floor() {
  const auto make = [operand = std::make_shared<Node>()] {
    auto* const node = new (optimized::allocate(sizeof(Node))) Node{1, {operand.get(), operand.get()}, {}};
    operand->references += 2;
    auto* const made = new (optimized::allocate(sizeof(Plain))) Plain{node, {}};
    benchmark::DoNotOptimize(made);
    operand->references -= 2;
    optimized::release(made, sizeof(Plain));
    optimized::release(node, sizeof(Node));
  };
  return {"floor", {{"", 1, make}}, {}};
}

Measured ours(std::int64_t elements) {
  optimized::set_num_threads(1);
  return {"eager", Rows<Ours<Backend::CPU>>::all(elements), {}};
}

Measured ours_lazily(std::int64_t elements) {
  optimized::lazy::run_lazily();
  return {"lazy", Rows<Ours<optimized::lazy::kDevice>>::all(elements), {}};
}

}  // namespace plumbline::bench::lazy
