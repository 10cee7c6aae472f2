// Small steps of bodies, for enumerating all bodies up to a length.
#pragma once

#include <vector>

#include "functionalization/validate/machine.h"

namespace plumbline::validate {

/// A call to try, and how many variables it gives. It may raise.
struct SmallStep {
  Call call;
  std::size_t results = 0;
  bool composite = false;  ///< a composite op calls it
};

/// One-result views of a tensor.
std::vector<Call> views_of(Slot source, const Facts& of);

/// Steps whose first tensor is `source`; a second tensor is any other. `facts`: by variable.
std::vector<SmallStep> steps_on(Slot source, const std::vector<Facts>& facts);

}  // namespace plumbline::validate
