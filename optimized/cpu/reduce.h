// Runs a reduction: by rows if the reduced elements are adjacent, else by columns.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>

#include "optimized/cpu/parallel.h"
#include "optimized/cpu/scratch.h"
#include "optimized/cpu/simd_reduce.h"
#include "optimized/elements/computed.h"
#include "optimized/elements/elements.h"
#include "optimized/elements/primitives.h"

namespace plumbline::optimized {

/// The sum of elements of T. As for every reduction, `Whole` is the accumulator, which begins as `kNothing`.
template <class T>
struct SumReduction {
  using Element = T;
  using Whole = simd::SumOf<T>;
  static constexpr Whole kNothing = 0;

  static Whole both(Whole a, Whole b) { return a + b; }
  static Whole one(T element) { return static_cast<Whole>(element); }
  static Whole row(const T* from, std::int64_t n) { return simd::reductions<T>().sum(from, n); }
  static void take(const T* from, std::int64_t step, std::int64_t rows, Whole* wholes, std::int64_t n) {
    simd::reductions<T>().add(from, step, rows, wholes, n);
  }
};

/// The largest or the smallest element; not-a-number if there is one.
template <class T, bool kLargest>
struct ExtremeReduction {
  using Element = T;
  using Whole = T;
  static constexpr Whole kNothing = extreme_of_none<kLargest, T>();

  static Whole both(Whole a, Whole b) { return extreme_of_two<kLargest>(a, b); }
  static Whole one(T element) { return element; }
  static Whole row(const T* from, std::int64_t n) {
    return kLargest ? simd::reductions<T>().largest(from, n) : simd::reductions<T>().smallest(from, n);
  }
  static void take(const T* from, std::int64_t step, std::int64_t rows, Whole* wholes, std::int64_t n) {
    kLargest ? simd::reductions<T>().take_larger(from, step, rows, wholes, n)
             : simd::reductions<T>().take_smaller(from, step, rows, wholes, n);
  }
};

namespace reducing {

/// A row is cut into pieces of this many elements, for any number of threads, so that its sum is always the same.
inline constexpr std::int64_t kPiece = std::int64_t{16} << 10;
/// A result of fewer elements is not split among threads.
inline constexpr std::int64_t kSharedResults = 128;
inline constexpr std::int64_t kColumnsAtOnce = 256;

template <class R, class T = typename R::Element>
typename R::Whole plain_row(const T* from, std::int64_t n, std::int64_t step) {
  if (n == 0) return R::kNothing;
  if (step == 1) return R::row(from, n);
  typename R::Whole whole = R::kNothing;
  for (std::int64_t i = 0; i < n; ++i)
    whole = R::both(whole, R::one(loaded<T>(reinterpret_cast<const std::byte*>(from + i * step))));
  return whole;
}

/// A row on several threads.
template <class R, class T = typename R::Element>
typename R::Whole long_row(const T* from, std::int64_t n, std::int64_t step) {
  const std::int64_t pieces = (n + kPiece - 1) / kPiece;
  const Scratch<typename R::Whole> scratch(pieces);
  auto* const wholes = scratch.data();
  share(n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = (begin + kPiece - 1) / kPiece; i * kPiece < end; ++i)
      wholes[i] = plain_row<R>(from + i * kPiece * step, std::min(kPiece, n - i * kPiece), step);
  });
  return std::accumulate(wholes, wholes + pieces, R::kNothing, R::both);
}

/// All elements that are reduced to one element of the result: rows of `inner`, by the levels outside it.
template <class R, class T = typename R::Element>
typename R::Whole reduce_one(const LoopNest<1>& outer, const Axis<1>& inner, const T* from, bool alone) {
  const bool is_long = alone && inner.size >= kParallelElements;
  typename R::Whole whole = R::kNothing;
  outer.for_each([&](const Steps<1>& places) {
    const T* const row = from + places[0];
    whole = R::both(
        whole, is_long ? long_row<R>(row, inner.size, inner.steps[0]) : plain_row<R>(row, inner.size, inner.steps[0]));
  });
  return whole;
}

/// Whether a result is worth several threads, each with its own elements.
inline bool is_shared(std::int64_t results, std::int64_t count) {
  return results >= kSharedResults &&
         static_cast<double>(results) * static_cast<double>(count) >= static_cast<double>(kParallelElements);
}

/// Side by side: each element of the innermost kept level is a column.
template <class R, class Finish, class T = typename R::Element>
void reduce_columns(const ReductionLoops& plan, const T* from, const Finish& finish) {
  LoopNest<2> outer = plan.kept;
  const Axis<2> columns = outer.innermost();
  outer.drop_innermost();
  LoopNest<1> stacks = plan.reduced;
  const Axis<1> rows = stacks.innermost();
  stacks.drop_innermost();
  const auto some = [&](std::int64_t begin, std::int64_t end) {
    std::array<typename R::Whole, kColumnsAtOnce> wholes;  // NOLINT(*-member-init): filled below
    for (std::int64_t first = begin; first < end; first += kColumnsAtOnce) {
      const std::int64_t n = std::min(kColumnsAtOnce, end - first);
      outer.for_each([&](const Steps<2>& places) {
        std::fill_n(wholes.data(), n, R::kNothing);
        stacks.for_each([&](const Steps<1>& stack) {
          R::take(from + places[0] + first + stack[0], rows.steps[0], rows.size, wholes.data(), n);
        });
        for (std::int64_t i = 0; i < n; ++i)
          finish(places[1] + (first + i) * columns.steps[1], wholes[static_cast<std::size_t>(i)]);
      });
    }
  };
  is_shared(columns.size, outer.size() * plan.count) ? share(columns.size, some) : some(0, columns.size);
}

template <class R, class Finish, class T = typename R::Element>
void reduce_rows(const ReductionLoops& plan, const T* from, const Finish& finish) {
  LoopNest<1> outer = plan.reduced;
  const Axis<1> inner = outer.innermost();
  outer.drop_innermost();
  const std::int64_t results = plan.kept.size();
  const bool shared = is_shared(results, plan.count);
  const auto some = [&](std::int64_t begin, std::int64_t end) {
    plan.kept.for_each_between(begin, end, [&](const Steps<2>& places) {
      finish(places[1], reduce_one<R>(outer, inner, from + places[0], !shared));
    });
  };
  shared ? share(results, some) : some(0, results);
}

}  // namespace reducing

/// Calls `finish(place, whole)` for each element of the result, whose place is in its own steps; possibly on several
/// threads. `from` is the first element of the tensor that was planned for.
template <class R, class Finish, class T = typename R::Element>
void reduce(const ReductionLoops& plan, const T* from, const Finish& finish) {
  const Axis<2> column = plan.kept.innermost();
  const Axis<1> row = plan.reduced.innermost();
  const bool side_by_side = column.size > 1 && column.steps[0] == 1 && row.size > 1 && row.steps[0] != 1;
  side_by_side ? reducing::reduce_columns<R>(plan, from, finish) : reducing::reduce_rows<R>(plan, from, finish);
}

}  // namespace plumbline::optimized
