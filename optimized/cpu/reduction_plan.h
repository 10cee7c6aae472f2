// Which elements of a tensor come together in each element of a reduction's result.
#pragma once

#include <optional>

#include "optimized/cpu/loop_nest.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// By dimension: 1 where it is reduced. A tensor without dimensions has one entry.
using ReducedDims = DimVector;

/// The dimensions that are named; all where none is. Raises dim_range and dim_repeated.
ReducedDims reduced_dims(const Tensor& self, const std::optional<IntList>& dim);
/// One, which is wrapped already.
ReducedDims reduced_dim(const Tensor& self, int dim);

/// The sizes of the result. With `keepdim` each reduced dimension stays, of size 1.
DimVector reduced_sizes(const Tensor& self, const ReducedDims& reduced, bool keepdim);

/// Loops over the elements of the result (steps in the tensor and in the result), and over those that come together in
/// one of them (steps in the tensor).
struct ReductionPlan {
  LoopNest<2> kept;
  LoopNest<1> reduced;
  std::int64_t count = 1;  ///< how many come together; of a tensor without elements: whether any

  /// `out_strides`: of the result, with or without the reduced dimensions. The order in which elements come together is
  /// whatever is fastest.
  ReductionPlan(const Tensor& self, const ReducedDims& dims, bool keepdim, IntList out_strides);
};

}  // namespace plumbline::optimized
