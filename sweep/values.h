// The elements of a tensor that a caller reported.
#pragma once

#include <string>

#include "sweep/experiment.h"

namespace plumbline::sweep {

/// "[1, 2.5]"; "6 elements" if there are many, or if the dtype has no numbers that are shown.
std::string show_elements(const Facts& facts);

/// Whether the elements are the same up to the rounding of sums in another order. Those of integers are the same to the
/// bit, and so are those that are shown as a hash.
bool nearly_equal(const Facts& a, const Facts& b);

}  // namespace plumbline::sweep
