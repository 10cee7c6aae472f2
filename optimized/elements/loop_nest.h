// Nested loops over the elements of several operands at once, with as few levels as their strides allow.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "optimized/tensor/dim_vector.h"

namespace plumbline::optimized {

/// The steps of N operands, in elements of each.
template <int N>
using Steps = std::array<std::int64_t, N>;

/// One level of loops: how often it runs, and how far each operand moves.
template <int N>
struct Axis {
  std::int64_t size = 0;
  Steps<N> steps{};
};

/// How often the body of these loops runs.
template <int N>
std::int64_t count_of(std::span<const Axis<N>> levels) {
  if (std::ranges::any_of(levels, [](const Axis<N>& level) { return level.size == 0; })) return 0;
  std::int64_t count = 1;
  for (const Axis<N>& level : levels) count *= level.size;
  return count;
}

/// Levels from the outermost to the innermost. Products of sizes and steps wrap: where they would, there is no element.
template <int N>
class LoopNest {
 public:
  /// With at most this number of levels.
  explicit LoopNest(int most) {
    if (most > kInline) more_.resize(static_cast<std::size_t>(most));
  }

  /// Adds a level inside the existing ones.
  void add(std::int64_t size, const Steps<N>& steps) {
    if (size == 0) empty_ = true;
    if (size != 1) axes()[count_++] = {size, steps};
  }
  /// The longer the first operand's step, the further out its level. The result must not depend on the order.
  void sort() {
    for (int i = 1; i < count_; ++i)
      for (int j = i; j > 0 && axes()[j - 1].steps[0] < axes()[j].steps[0]; --j) std::swap(axes()[j - 1], axes()[j]);
  }
  /// Makes one level of two where each operand goes on from one to the next without a jump.
  void merge() {
    if (empty_) return;
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      if (kept > 0 && goes_on(axes()[kept - 1], axes()[i])) {
        const std::int64_t outer = axes()[kept - 1].size;
        axes()[kept - 1] = axes()[i];
        axes()[kept - 1].size *= outer;
      } else {
        axes()[kept++] = axes()[i];
      }
    }
    count_ = kept;
  }

  bool empty() const { return empty_; }
  /// How often the innermost level's body runs.
  std::int64_t size() const { return empty_ ? 0 : count_of(levels()); }
  /// From the outermost to the innermost.
  std::span<const Axis<N>> levels() const { return {axes(), static_cast<std::size_t>(count_)}; }
  /// The innermost level; of size 1 where there is none.
  Axis<N> innermost() const { return count_ == 0 ? Axis<N>{1, {}} : axes()[count_ - 1]; }
  void drop_innermost() {
    if (count_ > 0) --count_;
  }

  /// Calls `visit(places)` for each run.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for_each_between(0, size(), visit);
  }
  /// For those from `begin` to `end`, which are counted in the order of the loops.
  template <class Visit>
  void for_each_between(std::int64_t begin, std::int64_t end, const Visit& visit) const {
    Steps<N> places{};
    if (begin >= end) return;
    if (count_ == 0) return visit(std::as_const(places));
    DimVector at(static_cast<std::size_t>(count_));
    std::int64_t rest = begin;
    for (int level = count_; level-- > 0; rest /= axes()[level].size) {
      at[static_cast<std::size_t>(level)] = rest % axes()[level].size;
      move(places, level, at[static_cast<std::size_t>(level)]);
    }
    for (std::int64_t i = begin;;) {
      visit(std::as_const(places));
      if (++i == end) return;
      int level = count_ - 1;
      for (; ++at[static_cast<std::size_t>(level)] == axes()[level].size; --level) {
        at[static_cast<std::size_t>(level)] = 0;
        move(places, level, 1 - axes()[level].size);
      }
      move(places, level, 1);
    }
  }

 private:
  static constexpr int kInline = 6;

  const Axis<N>* axes() const { return more_.empty() ? inline_.data() : more_.data(); }
  Axis<N>* axes() { return more_.empty() ? inline_.data() : more_.data(); }

  static std::int64_t times(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  }
  static bool goes_on(const Axis<N>& outer, const Axis<N>& inner) {
    for (std::size_t i = 0; i < N; ++i)
      if (outer.steps[i] != times(inner.size, inner.steps[i])) return false;
    return true;
  }

  void move(Steps<N>& places, int level, std::int64_t times) const {
    for (std::size_t i = 0; i < N; ++i) places[i] += axes()[level].steps[i] * times;
  }

  int count_ = 0;
  bool empty_ = false;
  std::array<Axis<N>, kInline> inline_;
  std::vector<Axis<N>> more_;
};

}  // namespace plumbline::optimized
