// Kernels that reduce many elements to one: by a tree over the threads of a block, in an order that is always the same.
#pragma once

#include <array>
#include <cstdint>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/places.h"
#include "optimized/elements/computed.h"

namespace plumbline::optimized::cuda {

/// A block for each element of the result. Thread t reduces elements t, t + kThreads, …; then half of the threads take
/// the result of the other half, until one is left. `Reduction` has a type `Value` for what is carried, `start()`,
/// `with(value, element)`, `joined(value, value)` and `result(value)`, which is an element of the result.
template <class From, class To, class Reduction>
struct ReduceByBlock {
  using Value = typename Reduction::Value;
  struct Shared {
    std::array<Value, kThreads> values;
  };
  using Own = Nothing;
  static constexpr int kHalvings = 8;
  static_assert(1U << kHalvings == kThreads);
  static constexpr int kPhases = kHalvings + 2;

  Places<2> kept;     ///< of the tensor and of the result
  Places<1> reduced;  ///< of the tensor
  const From* from = nullptr;
  To* to = nullptr;
  Reduction reduction;

  std::uint32_t blocks() const { return kept.count; }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared& shared, Own&) const {
    if constexpr (P == 0) {
      const std::int64_t first = kept.at(place.block)[0];
      Value value = reduction.start();
      for (std::uint32_t i = place.thread; i < reduced.count; i += kThreads)
        value = reduction.with(value, from[first + reduced.at(i)[0]]);
      shared.values[place.thread] = value;
    } else if constexpr (P <= kHalvings) {
      constexpr std::uint32_t kHalf = kThreads >> static_cast<unsigned>(P);
      if (place.thread < kHalf)
        shared.values[place.thread] =
            reduction.joined(shared.values[place.thread], shared.values[place.thread + kHalf]);
    } else if (place.thread == 0) {
      to[kept.at(place.block)[1]] = reduction.result(shared.values[0]);
    }
  }
};

/// A thread for each element of the result: for many of them, each of few elements.
template <class From, class To, class Reduction>
struct ReduceByThread {
  using Shared = Nothing;
  using Own = Nothing;
  static constexpr int kPhases = 1;

  Places<2> kept;     ///< of the tensor and of the result
  Places<1> reduced;  ///< of the tensor
  const From* from = nullptr;
  To* to = nullptr;
  Reduction reduction;

  std::uint32_t blocks() const { return blocks_for(kept.count, kThreads); }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared&, Own&) const {
    const std::uint32_t one = place.block * kThreads + place.thread;
    if (one >= kept.count) return;
    const Steps<2> at = kept.at(one);
    typename Reduction::Value value = reduction.start();
    for (std::uint32_t i = 0; i < reduced.count; ++i) value = reduction.with(value, from[at[0] + reduced.at(i)[0]]);
    to[at[1]] = reduction.result(value);
  }
};

/// The sum, carried as V; integers wrap. Divided by `divisor`, the mean.
template <class From, class To, class V>
struct Sum {
  using Value = V;
  To divisor = To(1);

  PLUMBLINE_HOST_DEVICE Value start() const { return Value(0); }
  PLUMBLINE_HOST_DEVICE Value with(Value sum, From element) const { return joined(sum, static_cast<Value>(element)); }
  PLUMBLINE_HOST_DEVICE Value joined(Value a, Value b) const { return computed<Arithmetic::add>(a, b); }
  PLUMBLINE_HOST_DEVICE To result(Value sum) const { return static_cast<To>(sum) / divisor; }
};

}  // namespace plumbline::optimized::cuda
