// Which elements of a tensor are reduced to each element of the result.
#include "optimized/cpu/reduction_plan.h"

#include <algorithm>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

ReducedDims reduced_dims(const Tensor& self, const std::optional<IntList>& dim) {
  const auto rank = static_cast<std::size_t>(std::max(self.dim(), 1));
  if (!dim || dim->empty()) return ReducedDims(rank, 1);
  ReducedDims reduced(rank);
  for (const std::int64_t one : *dim) {
    const auto at = static_cast<std::size_t>(wrapped_dim(one, self.dim()));
    if (reduced[at] != 0) {
      for (const std::int64_t other : *dim) static_cast<void>(wrapped_dim(other, self.dim()));  // this comes first
      raise_saying(ErrorClass::dim_repeated,
                   "dim " + std::to_string(at) + " appears multiple times in the list of dims");
    }
    reduced[at] = 1;
  }
  return reduced;
}

ReducedDims reduced_dim(const Tensor& self, int dim) {
  ReducedDims reduced(static_cast<std::size_t>(std::max(self.dim(), 1)));
  reduced[static_cast<std::size_t>(dim)] = 1;
  return reduced;
}

DimVector reduced_sizes(const Tensor& self, const ReducedDims& reduced, bool keepdim) {
  const IntList sizes = self.sizes();
  std::size_t kept = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) kept += keepdim || reduced[d] == 0 ? 1 : 0;
  DimVector result(kept);
  std::size_t at = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (reduced[d] == 0) result[at++] = sizes[d];
    if (reduced[d] != 0 && keepdim) result[at++] = 1;
  }
  return result;
}

ReductionPlan::ReductionPlan(const Tensor& self, const ReducedDims& dims, bool keepdim, IntList out_strides)
    : ReductionLoops{LoopNest<2>(self.dim()), LoopNest<1>(self.dim())} {
  std::size_t at = 0;
  for (int d = 0; d < self.dim(); ++d) {
    if (dims[static_cast<std::size_t>(d)] != 0) {
      reduced.add(self.size(d), {self.stride(d)});
      count = self.numel() == 0 ? std::min<std::int64_t>(count, self.size(d)) : count * self.size(d);
      if (keepdim) ++at;
    } else {
      kept.add(self.size(d), {self.stride(d), out_strides[at++]});
    }
  }
  kept.sort();
  kept.merge();
  reduced.sort();
  reduced.merge();
}

}  // namespace plumbline::optimized
