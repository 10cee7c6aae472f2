// What every gradient may need: to fit a shape, and to be scaled by a number.
#include "optimized/autograd/gradients.h"

#include <algorithm>

namespace plumbline::optimized {

Tensor number(Scalar value) {
  Tensor made = value.is_real() ? full({}, value, Dtype::float64) : full({}, value, value.dtype());
  made.impl().wrapped_number = true;
  return made;
}

Tensor scaled(const Tensor& gradient, Scalar factor) {
  return factor.real() == 1 ? gradient : mul(gradient, number(factor));
}

bool expands_to(IntList sizes, IntList wanted) {
  if (sizes.size() > wanted.size()) return false;
  const std::size_t added = wanted.size() - sizes.size();
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1 && sizes[d] != wanted[added + d]) return false;
  return true;
}

Tensor sum_to_sizes(const Tensor& gradient, IntList sizes) {
  const std::size_t added = gradient.sizes().size() - sizes.size();
  std::vector<std::int64_t> dims;
  for (std::size_t d = 0; d < gradient.sizes().size(); ++d)
    if (d < added || (sizes[d - added] == 1 && gradient.sizes()[d] != 1)) dims.push_back(static_cast<std::int64_t>(d));
  if (dims.empty()) return gradient;
  if (sizes.empty()) return sum(gradient);  // not a view
  const Tensor summed = sum(gradient, IntList(dims), true);
  return added == 0 ? summed : view(summed, sizes);
}

}  // namespace plumbline::optimized
