// Our sides of the lazy cases, and their floors.
#include "bench/sides/ours.h"

#include <array>
#include <memory>
#include <vector>

#include "bench/lazy/calls.h"
#include "bench/lazy/floor_chain.h"
#include "bench/lazy/sides.h"
#include "optimized/cpu/parallel.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/lazy/lazy.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/pool.h"

namespace plumbline::bench {

namespace {

struct Eager : Ours {
  static Tensor mul(const Tensor& a, const Tensor& b) { return optimized::mul(a, b); }
  static Tensor t(const Tensor& a) { return optimized::t(a); }
  static Tensor softmax(const Tensor& a) { return optimized::softmax(a, -1, std::nullopt); }
  static void finish(const Tensor& /*made*/) {}
};

struct Lazy : Eager {
  static constexpr Backend kDevice = optimized::lazy::kDevice;

  static Tensor on(const Tensor& tensor, Backend device) {
    return optimized::_to_copy(tensor, std::nullopt, std::nullopt, optimized::device_number(device));
  }
  static Tensor tensor(const std::vector<float>& values, Sizes sizes) {
    Tensor made = on(Ours::tensor(values, sizes), kDevice);
    finish(made);
    return made;
  }
  static Outcome outcome_of(const Tensor& tensor) { return Ours::outcome_of(on(tensor, Backend::CPU)); }
  /// A read of one element has all computed.
  static void finish(const Tensor& made) {
    float first = 0;
    optimized::memory_of(kDevice).copy_to_cpu(reinterpret_cast<std::byte*>(&first), made.storage()->data(),
                                              sizeof(first));
  }
};

/// What making a node forces alone: its memory, its result's, and who counts whom.
class Making final : public Workload {
 public:
  void run(std::uint64_t times) override {
    for (; times != 0; --times) {
      auto* const node = new (optimized::allocate(sizeof(Node))) Node{1, {&operand_, &operand_}, {}};
      operand_.references += 2;
      auto* const made = new (optimized::allocate(sizeof(Plain))) Plain{node, {}};
      benchmark::DoNotOptimize(made);
      operand_.references -= 2;
      optimized::release(made, sizeof(Plain));
      optimized::release(node, sizeof(Node));
    }
  }
  Outcome outcome() override { return {}; }

 private:
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
  Node operand_;
};

/// A chain as one compiled loop, which has each value in a register only.
class OneLoop final : public Workload {
 public:
  explicit OneLoop(std::int64_t ops) : ops_(ops) {}
  void run(std::uint64_t times) override {
    for (; times != 0; --times) {
      auto* const to = static_cast<float*>(optimized::allocate(kBytes));
      floor_chain(to, x_.data(), a_.data(), b_.data(), kChainElements, ops_);
      benchmark::DoNotOptimize(to);
      optimized::release(to, kBytes);
    }
  }
  Outcome outcome() override { return {}; }

 private:
  static constexpr std::size_t kBytes = kChainElements * sizeof(float);
  std::int64_t ops_;
  std::vector<float> x_ = elements(kChainElements, 1), a_ = elements(kChainElements, 2),
                     b_ = elements(kChainElements, 3);
};

std::unique_ptr<Workload> floor_of(const Case& one) {
  if (one.call == Call::add) return std::make_unique<Making>();
  if (one.call == Call::chain) return std::make_unique<OneLoop>(one.size);
  return nullptr;
}

}  // namespace

std::vector<Side> our_lazy_sides() {
  optimized::lazy::run_lazily();
  return {{"ours", &lazy_workload_of<Lazy>, &optimized::set_num_threads, &Ours::trim},
          {"eager", &lazy_workload_of<Eager>},
          {"floor", &floor_of}};
}

}  // namespace plumbline::bench
