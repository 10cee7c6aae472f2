// Where the elements of several operands are, by the number of a thread's element.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "optimized/cuda/divisor.h"
#include "optimized/elements/loop_nest.h"

namespace plumbline::optimized::cuda {

/// Levels of loops over N operands that a kernel gets as an argument. The last level is the fastest.
template <int N>
struct Places {
  static constexpr int kMostLevels = 16;

  std::uint32_t count = 1;  ///< of elements: less than Divisor::kEnd
  int levels = 0;
  Steps<N> begin{};                         ///< of each operand, in elements
  std::array<Divisor, kMostLevels> sizes;   ///< the fastest level first
  std::array<Steps<N>, kMostLevels> steps;  ///< the same

  /// Where element `i` of each operand is; i < count.
  PLUMBLINE_HOST_DEVICE constexpr Steps<N> at(std::uint32_t i) const {
    Steps<N> place = begin;
    for (int level = 0; level < levels; ++level) {
      const std::uint32_t rest = sizes[level].quotient(i);
      const std::uint32_t here = i - rest * sizes[level].by();
      for (int k = 0; k < N; ++k) place[k] += steps[level][k] * static_cast<std::int64_t>(here);
      i = rest;
    }
    return place;
  }
};

/// At most Places::kMostLevels levels, and fewer than Divisor::kEnd elements.
template <int N>
Places<N> places_of(std::span<const Axis<N>> levels, const std::type_identity_t<Steps<N>>& begin) {
  Places<N> places;
  places.begin = begin;
  places.count = static_cast<std::uint32_t>(count_of(levels));
  if (places.count == 0) return places;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level, ++places.levels) {
    const auto i = static_cast<std::size_t>(places.levels);
    places.sizes.at(i) = Divisor(static_cast<std::uint32_t>(level->size));
    places.steps.at(i) = level->steps;
  }
  return places;
}

/// Calls `visit(places)` for parts of the loops that together are all of them, in their order. Each has at most `most`
/// elements, which is less than Divisor::kEnd, and at most Places::kMostLevels levels.
template <int N, class Visit>
void for_each_part(std::span<const Axis<N>> levels, const std::type_identity_t<Steps<N>>& begin, std::int64_t most,
                   const Visit& visit) {
  const std::int64_t count = count_of(levels);
  if (count == 0) return;
  const bool fits = levels.size() <= static_cast<std::size_t>(Places<N>::kMostLevels);
  if (fits && count <= most) return visit(places_of(levels, begin));
  const Axis<N>& outer = levels.front();
  const std::span<const Axis<N>> inner = levels.subspan(1);
  const std::int64_t inner_count = count_of(inner);
  const std::int64_t together = fits && inner_count <= most ? most / inner_count : 1;
  std::vector<Axis<N>> part(levels.begin(), levels.end());
  for (std::int64_t i = 0; i < outer.size; i += together) {
    Steps<N> here = begin;
    for (std::size_t k = 0; k < N; ++k) here[k] += i * outer.steps[k];
    part.front().size = std::min(together, outer.size - i);
    for_each_part(together == 1 ? inner : std::span<const Axis<N>>(part), here, most, visit);
  }
}

}  // namespace plumbline::optimized::cuda
