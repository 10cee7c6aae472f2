// As many draws as something needs, from one gene.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fuzz/gene.h"

namespace plumbline::fuzz {

/// More choices than a gene has draws. A gene of zeros makes the simplest choice each time.
class ManyChoices {
 public:
  explicit ManyChoices(const Gene& gene) {
    for (const std::uint8_t draw : gene.draws) state_ = state_ * 257 + draw;
    state_ = state_ * 257 + gene.op;
  }
  std::size_t below(std::size_t count) {
    if (state_ == 0) return 0;
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % count;
  }
  bool one_in(std::size_t count) { return below(count) == count - 1; }
  template <class Items>
  auto any(const Items& items) {
    return items[below(items.size())];
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace plumbline::fuzz
