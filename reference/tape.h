// A record of how elements were computed. The derivative of an op is found by going back over it.
#pragma once

#include <initializer_list>
#include <vector>

#include "reference/element.h"

namespace plumbline::reference {

/// The numbers of a kernel, each with the numbers that it was computed from. A copy of an element has the same `trace`,
/// so an op that only moves elements needs nothing here.
class Tape {
 public:
  /// A dependence on the number `of`, with this partial derivative.
  struct Term {
    std::int32_t of = -1;
    Element partial;
  };

  /// Adds a number that depends on no other.
  std::int32_t variable();
  /// Adds a number that depends on others; −1 if none of `terms` is on the tape.
  std::int32_t record(std::vector<Term> terms);

  /// For each number Σ (gradient of a later number) · (its partial by this one), from `seeds`, the given
  /// gradients. Computed in `dtype`.
  std::vector<Element> back(const std::vector<std::pair<std::int32_t, Element>>& seeds, Dtype dtype) const;

 private:
  std::vector<std::vector<Term>> terms_;
};

}  // namespace plumbline::reference
