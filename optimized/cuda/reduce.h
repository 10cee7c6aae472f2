// Kernels that reduce many elements to one: by a tree over the threads of a block, in an order that is always the same.
#pragma once

#include <array>
#include <cstdint>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/places.h"
#include "optimized/elements/computed.h"
#include "optimized/elements/elements.h"

namespace plumbline::optimized::cuda {

/// The element at a place of a tensor of Ts; a bool in memory may be any byte.
template <class T>
PLUMBLINE_HOST_DEVICE T element(const T* from, std::int64_t at) {
  return loaded<T>(reinterpret_cast<const std::byte*>(from + at));
}

/// What is reduced, and how. `Reduction` has a type `Value` for what is carried, `start()`, `with(value, element)`,
/// `joined(value, value)` and `result(value)`, which is an element of the result.
template <class From, class To, class Reduction>
struct Reduced {
  using Value = typename Reduction::Value;

  Places<2> kept;     ///< of the tensor and of the result
  Places<1> reduced;  ///< of the tensor
  const From* from = nullptr;
  To* to = nullptr;
  Reduction reduction;

  /// Elements `begin`, `begin + step`, … of those that are reduced to one, of which the first is at `first`.
  PLUMBLINE_HOST_DEVICE Value part(std::int64_t first, std::uint32_t begin, std::uint32_t step) const {
    Value value = reduction.start();
    for (std::uint32_t i = begin; i < reduced.count; i += step)
      value = reduction.with(value, element(from, first + reduced.at(i)[0]));
    return value;
  }
};

/// A block for each element of the result. Thread t reduces elements t, t + kThreads, …; then half of the threads take
/// the result of the other half, until one is left.
template <class From, class To, class Reduction>
struct ReduceByBlock {
  struct Shared {
    std::array<typename Reduction::Value, kThreads> values;
  };
  using Own = Nothing;
  static constexpr int kHalvings = 8;
  static_assert(1U << kHalvings == kThreads);
  static constexpr int kPhases = kHalvings + 2;

  Reduced<From, To, Reduction> of;

  std::uint32_t blocks() const { return of.kept.count; }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared& shared, Own&) const {
    if constexpr (P == 0) {
      shared.values[place.thread] = of.part(of.kept.at(place.block)[0], place.thread, kThreads);
    } else if constexpr (P <= kHalvings) {
      constexpr std::uint32_t kHalf = kThreads >> static_cast<unsigned>(P);
      if (place.thread < kHalf)
        shared.values[place.thread] =
            of.reduction.joined(shared.values[place.thread], shared.values[place.thread + kHalf]);
    } else if (place.thread == 0) {
      of.to[of.kept.at(place.block)[1]] = of.reduction.result(shared.values[0]);
    }
  }
};

/// A thread for each element of the result: for many of them, each of few elements.
template <class From, class To, class Reduction>
struct ReduceByThread {
  using Shared = Nothing;
  using Own = Nothing;
  static constexpr int kPhases = 1;

  Reduced<From, To, Reduction> of;

  std::uint32_t blocks() const { return blocks_for(of.kept.count, kThreads); }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared&, Own&) const {
    const std::uint32_t one = place.block * kThreads + place.thread;
    if (one >= of.kept.count) return;
    const Steps<2> at = of.kept.at(one);
    of.to[at[1]] = of.reduction.result(of.part(at[0], 0, 1));
  }
};

/// The largest or the smallest of Ts; not-a-number if there is one.
template <class T, bool kLargest>
struct Extreme {
  using Value = T;

  PLUMBLINE_HOST_DEVICE T start() const { return extreme_of_none<kLargest, T>(); }
  PLUMBLINE_HOST_DEVICE T with(T extreme, T element) const { return joined(extreme, element); }
  PLUMBLINE_HOST_DEVICE T joined(T a, T b) const { return extreme_of_two<kLargest>(a, b); }
  PLUMBLINE_HOST_DEVICE T result(T extreme) const { return extreme; }
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
