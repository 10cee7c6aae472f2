// Kernels that make something of each row of a tensor: where its largest element is, and its softmax.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/places.h"
#include "optimized/cuda/reduce.h"

namespace plumbline::optimized::cuda {

/// Rows of `n` elements, which stand `step` apart in `from`.
template <class T>
struct RowsOf {
  Places<2> rows;  ///< of the tensor and of the result
  const T* from = nullptr;
  std::int64_t n = 1;
  std::int64_t step = 1;

  PLUMBLINE_HOST_DEVICE T at(std::int64_t first, std::int64_t i) const { return element(from, first + i * step); }
};

/// A thread for each row: where the first of its largest elements is, and what it is, if `values` is not null.
template <class T>
struct Search {
  RowsOf<T> of;
  std::int64_t* indices = nullptr;
  T* values = nullptr;

  PLUMBLINE_HOST_DEVICE std::uint32_t count() const { return of.rows.count; }
  PLUMBLINE_HOST_DEVICE void one(std::uint32_t row) const {
    const Steps<2> places = of.rows.at(row);
    std::int64_t found = 0;
    T largest = of.at(places[0], 0);
    for (std::int64_t i = 1; i < of.n; ++i) {
      const T here = of.at(places[0], i);
      const bool first_nan = here != here && largest == largest;  // NOLINT(misc-redundant-expression): not-a-number
      if (here > largest || first_nan) {
        found = i;
        largest = here;
      }
    }
    indices[places[1]] = found;
    if (values != nullptr) values[places[1]] = largest;
  }
};

/// A block for each row: exp(x − m) / Σ exp(x − m), where m is the largest x.
template <class T>
struct Softmax {
  struct Shared {
    std::array<T, kThreads> largest;
    std::array<T, kThreads> sums;
  };
  using Own = Nothing;
  static constexpr int kHalvings = 8;
  static_assert(1U << kHalvings == kThreads);
  static constexpr int kSums = kHalvings + 1;            ///< the phase in which each thread adds up its elements
  static constexpr int kWrites = kSums + kHalvings + 1;  ///< the last phase
  static constexpr int kPhases = kWrites + 1;

  RowsOf<T> of;
  T* to = nullptr;
  std::int64_t to_step = 1;

  std::uint32_t blocks() const { return of.rows.count; }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared& shared, Own&) const {
    const Steps<2> places = of.rows.at(place.block);
    const std::uint32_t t = place.thread;
    if constexpr (P == 0) {
      T largest = Largest{}.start();
      for (std::int64_t i = t; i < of.n; i += kThreads) largest = Largest{}.with(largest, of.at(places[0], i));
      shared.largest[t] = largest;
    } else if constexpr (P < kSums) {
      constexpr std::uint32_t kHalf = kThreads >> static_cast<unsigned>(P);
      if (t < kHalf) shared.largest[t] = Largest{}.joined(shared.largest[t], shared.largest[t + kHalf]);
    } else if constexpr (P == kSums) {
      T sum = 0;
      for (std::int64_t i = t; i < of.n; i += kThreads) sum += power(shared, places[0], i);
      shared.sums[t] = sum;
    } else if constexpr (P < kWrites) {
      constexpr std::uint32_t kHalf = kThreads >> static_cast<unsigned>(P - kSums);
      if (t < kHalf) shared.sums[t] += shared.sums[t + kHalf];
    } else {
      for (std::int64_t i = t; i < of.n; i += kThreads)
        to[places[1] + i * to_step] = power(shared, places[0], i) / shared.sums[0];
    }
  }

 private:
  using Largest = Extreme<T, true>;

  PLUMBLINE_HOST_DEVICE T power(const Shared& shared, std::int64_t first, std::int64_t i) const {
    return std::exp(of.at(first, i) - shared.largest[0]);
  }
};

}  // namespace plumbline::optimized::cuda
