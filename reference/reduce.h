// Reductions: which elements come together in each element of a result.
#pragma once

#include <vector>

#include "reference/kernels.h"

namespace plumbline::reference {

/// The elements of a tensor by the element of the result that they are reduced to, both row-major.
struct Groups {
  Sizes sizes;                             ///< of the result
  std::vector<std::vector<Element>> each;  ///< in the order of the tensor's elements
};

/// Which dimensions are reduced: those named, all where none is. Raises for one that is out of range or named twice.
std::vector<bool> reduced_dims(const Judge& judge, const Tensor& self, const std::vector<std::int64_t>& dims);

/// The groups of `self`, its elements as `dtype`.
Groups grouped(const KernelCall& call, const Tensor& self, const std::vector<bool>& reduced, bool keepdim, Dtype dtype);

}  // namespace plumbline::reference
