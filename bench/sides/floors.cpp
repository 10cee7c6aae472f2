// Floors: prototypes that do only what the semantics force, to show how far there is to go.
#include <immintrin.h>

#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include "bench/calls.h"
#include "bench/sides/floor_loops.h"
#include "bench/sides/sides.h"
#include "optimized/tensor/pool.h"

namespace plumbline::bench {

namespace {

using optimized::allocate;
using optimized::release;

/// Memory with a count, and its elements right after it.
struct alignas(64) Bytes {
  std::atomic<std::uint32_t> count{1};
  std::size_t block;
  std::uint64_t version = 0;
  float* elements() { return reinterpret_cast<float*>(this + 1); }

  static Bytes* make(std::int64_t count) {
    const std::size_t block = sizeof(Bytes) + static_cast<std::size_t>(count) * sizeof(float);
    auto* made = new (allocate(block)) Bytes;
    made->block = block;
    return made;
  }
  void drop() {
    if (count.load(std::memory_order_acquire) == 1 || count.fetch_sub(1, std::memory_order_acq_rel) == 1)
      release(this, block);
  }
};

/// A tensor of at most four dimensions: the metadata that a result must have.
struct alignas(64) Plain {
  std::atomic<std::uint32_t> count{1};
  std::uint64_t keys = 0;
  Bytes* bytes = nullptr;
  std::int64_t offset = 0, numel = 0;
  std::array<std::int64_t, 8> sizes_and_strides{};
};

class Handle {
 public:
  explicit Handle(Bytes* bytes, std::int64_t numel) : plain_(new(allocate(sizeof(Plain))) Plain) {
    plain_->bytes = bytes;
    plain_->numel = plain_->sizes_and_strides[0] = numel;
    plain_->sizes_and_strides[4] = 1;
  }
  explicit Handle(std::int64_t numel) : Handle(Bytes::make(numel), numel) {}
  Handle(Handle&& other) noexcept : plain_(std::exchange(other.plain_, nullptr)) {}
  ~Handle() {
    if (plain_ == nullptr) return;
    plain_->bytes->drop();
    release(plain_, sizeof(Plain));
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;

  float* elements() const { return plain_->bytes->elements() + plain_->offset; }
  std::int64_t numel() const { return plain_->numel; }
  Bytes& bytes() const { return *plain_->bytes; }
  Plain& plain() const { return *plain_; }

 private:
  Plain* plain_;
};

/// Calls a function without a result.
template <class Function>
class Loop final : public Workload {
 public:
  explicit Loop(Function function) : function_(std::move(function)) {}
  void run(std::uint64_t times) override {
    for (; times != 0; --times) {
      function_();
      benchmark::ClobberMemory();
    }
  }
  Outcome outcome() override { return {}; }

 private:
  Function function_;
};
template <class Function>
std::unique_ptr<Workload> loop(Function function) {
  return std::make_unique<Loop<Function>>(std::move(function));
}

Handle operand(std::int64_t size, std::uint32_t seed) {
  Handle made(size);
  std::memcpy(made.elements(), elements(size, seed).data(), static_cast<std::size_t>(size) * sizeof(float));
  return made;
}

/// Whether a write counts a version, and a view is tracked, in a mode.
bool bumps(Mode mode) { return mode != Mode::inference && mode != Mode::below; }

std::unique_ptr<Workload> pointwise(const Case& one) {
  return loop([call = one.call, a = operand(one.size, 1), b = operand(one.size, 2), counts = bumps(one.mode)] {
    const float* from = opaque(b).elements();
    if (call == Call::add) {
      const Handle result(opaque(a).numel());
      floor_add(result.elements(), a.elements(), from, a.numel());
      benchmark::DoNotOptimize(&result.plain());
    } else if (call == Call::sum) {
      const Handle result(1);
      result.elements()[0] = floor_sum(opaque(a).elements(), a.numel());
      benchmark::DoNotOptimize(&result.plain());
    } else {
      if (call == Call::add_) floor_add(opaque(a).elements(), a.elements(), from, a.numel());
      if (call == Call::copy_)
        std::memcpy(opaque(a).elements(), from, static_cast<std::size_t>(a.numel()) * sizeof(float));
      if (counts) std::atomic_ref(a.bytes().version).fetch_add(1, std::memory_order_relaxed);
    }
  });
}

/// What a tracked view has in addition: a reference to its base, and the version at which it was made.
class alignas(64) Track {
 public:
  explicit Track(const Handle& base) : base_(&base.plain()), version_(base.bytes().version) {
    base_->count.fetch_add(1, std::memory_order_relaxed);
  }
  ~Track() { base_->count.fetch_sub(1, std::memory_order_acq_rel); }
  Track(const Track&) = delete;
  Track& operator=(const Track&) = delete;

 private:
  Plain* base_;
  std::uint64_t version_;
};

std::unique_ptr<Workload> viewing(bool tracked) {
  return loop([tracked, base = operand(4, 1)] {
    Bytes& bytes = opaque(base).bytes();
    bytes.count.fetch_add(1, std::memory_order_relaxed);
    const Handle view(&bytes, 2);
    benchmark::DoNotOptimize(&view.plain());
    if (!tracked) return;
    auto* track = new (allocate(sizeof(Track))) Track(base);
    benchmark::DoNotOptimize(track);
    track->~Track();
    release(track, sizeof(Track));
  });
}

/// A tracked view of `numel` elements of a base, from `offset` on.
class Viewed {
 public:
  Viewed(const Handle& base, std::int64_t offset, std::int64_t numel)
      : view_((base.bytes().count.fetch_add(1, std::memory_order_relaxed), &base.bytes()), numel),
        track_(new(allocate(sizeof(Track))) Track(base)) {
    view_.plain().offset = offset;
  }
  Viewed(Viewed&& other) noexcept : view_(std::move(other.view_)), track_(std::exchange(other.track_, nullptr)) {}
  ~Viewed() {
    if (track_ == nullptr) return;
    track_->~Track();
    release(track_, sizeof(Track));
  }
  Viewed(const Viewed&) = delete;
  Viewed& operator=(const Viewed&) = delete;
  Viewed& operator=(Viewed&&) = delete;

  const Handle& view() const { return view_; }

 private:
  Handle view_;
  Track* track_;
};

/// Rows of a base: all viewed, then all written in place with a version bump each.
std::unique_ptr<Workload> rows(std::int64_t count, std::int64_t length) {
  return loop([=, base = operand(count * length, 1), b = operand(length, 2), rows = std::vector<Viewed>()]() mutable {
    rows.clear();
    rows.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) rows.emplace_back(opaque(base), i * length, length);
    for (const Viewed& row : rows) {
      float* const at = row.view().elements();
      floor_add(at, at, opaque(b).elements(), length);
      std::atomic_ref(base.bytes().version).fetch_add(1, std::memory_order_relaxed);
    }
  });
}

std::unique_ptr<Workload> deep(std::int64_t depth) {
  return loop([depth, base = operand(4, 1), views = std::vector<Viewed>()]() mutable {
    views.clear();
    views.reserve(static_cast<std::size_t>(depth));
    for (std::int64_t i = 0; i < depth; ++i) views.emplace_back(opaque(base), 0, 4);
  });
}

std::unique_ptr<Workload> network() {
  return loop([x = operand(8, 1), w1 = operand(128, 2), b1 = operand(16, 3), w2 = operand(64, 4), b2 = operand(4, 5)] {
    const Handle linear(16);
    floor_affine_8_16(linear.elements(), opaque(b1).elements(), opaque(x).elements(), opaque(w1).elements());
    const Handle hidden(16);
    floor_relu(hidden.elements(), linear.elements(), 16);
    const Handle result(4);
    floor_affine_16_4(result.elements(), opaque(b2).elements(), hidden.elements(), opaque(w2).elements());
    benchmark::DoNotOptimize(&result.plain());
  });
}

/// A thread's sets and modes, as a guard saves, changes and restores them.
struct State {
  std::uint64_t included = 1, excluded = 2, modes = 1;
};
thread_local constinit State state;

std::unique_ptr<Workload> guarding() {
  return loop([] {
    const State found = state;
    benchmark::DoNotOptimize(&state);
    state.included = found.included & ~std::uint64_t{1};
    state.excluded = found.excluded | 4;
    state.modes = 2;
    benchmark::ClobberMemory();
    state = found;
  });
}

using FloorLoop = void (*)(const float*);
void nothing(const float*) {}

std::unique_ptr<Workload> dispatching() {
  std::array<FloorLoop, 64> table{};
  table.fill(&nothing);
  return loop([table, keys = std::uint64_t{12}, a = 1.0F] {
    benchmark::DoNotOptimize(&state);
    const std::uint64_t met = (opaque(keys) | state.included) & ~state.excluded;
    opaque(table)[63U - static_cast<unsigned>(__builtin_clzll(met | 1))](&a);
  });
}

std::unique_ptr<Workload> raising() {
  return loop([message = std::string(240, 'x')] {  // as long as PyTorch's message
    try {
      throw std::runtime_error(opaque(message));
    } catch (const std::runtime_error& error) {
      benchmark::DoNotOptimize(&error);
    }
  });
}

std::unique_ptr<Workload> make(const Case& one) {
  if (one.threads != Threads::one) return nullptr;
  switch (one.call) {
    case Call::dispatch:
      return dispatching();
    case Call::guard:
      return guarding();
    case Call::bump:
      return loop(
          [a = operand(1, 1)] { std::atomic_ref(opaque(a).bytes().version).fetch_add(1, std::memory_order_relaxed); });
    case Call::add:
    case Call::add_:
    case Call::copy_:
    case Call::sum:
      return one.mode == Mode::grad ? nullptr : pointwise(one);
    case Call::view:
    case Call::slice:
      return one.mode == Mode::grad ? nullptr : viewing(bumps(one.mode));
    case Call::empty:
      return loop([size = one.size] {
        const Handle result(opaque(size));
        benchmark::DoNotOptimize(&result.plain());
      });
    case Call::mlp:
      return one.mode == Mode::grad ? nullptr : network();
    case Call::mm:
      return loop([size = one.size] { floor_fma(opaque(size) * size * size); });
    case Call::illegal:
      return raising();
    case Call::row:
      return rows(1, one.size);
    case Call::rows:
      return rows(one.size, 256);
    case Call::deep:
      return one.mode == Mode::functional ? deep(one.size) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Side floors() { return {"floor", &make, nullptr, nullptr}; }

}  // namespace plumbline::bench
