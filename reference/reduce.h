// Reductions: the elements that are reduced to each element of a result.
#pragma once

#include <vector>

#include "reference/kernels.h"

namespace plumbline::reference {

/// The elements of a tensor, grouped by the element of the result that they are reduced to; both row-major.
struct Groups {
  Sizes sizes;                             ///< the result's sizes
  std::vector<std::vector<Element>> each;  ///< in the order of the tensor's elements
};

/// Which dimensions are reduced: those named, or all if none is named. Raises an error for a dimension that is out of
/// range or named twice.
std::vector<bool> reduced_dims(const Judge& judge, const Tensor& self, const std::vector<std::int64_t>& dims);

/// The groups of `self`, its elements as `dtype`.
Groups grouped(const KernelCall& call, const Tensor& self, const std::vector<bool>& reduced, bool keepdim, Dtype dtype);

}  // namespace plumbline::reference
