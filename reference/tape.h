// How elements were computed: the derivative of an op is found by going back over what its meaning computed.
#pragma once

#include <initializer_list>
#include <vector>

#include "reference/element.h"

namespace plumbline::reference {

/// The numbers that a kernel met, each with those that it was computed from. Copying an element copies its `trace`, so
/// an op that only moves elements needs nothing here.
class Tape {
 public:
  /// A number depends on `of` with this partial derivative.
  struct Term {
    std::int32_t of = -1;
    Element partial;
  };

  /// A number that depends on no other.
  std::int32_t variable();
  /// A number that depends on others; −1 where none of `terms` is on the tape.
  std::int32_t record(std::vector<Term> terms);

  /// For each number Σ (gradient of a later number) · (its partial by this one), from `seeds`: the gradients that are
  /// given. Computed in `dtype`.
  std::vector<Element> back(const std::vector<std::pair<std::int32_t, Element>>& seeds, Dtype dtype) const;

 private:
  std::vector<std::vector<Term>> terms_;
};

}  // namespace plumbline::reference
