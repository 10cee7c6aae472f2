// Which elements of a tensor are reduced to each element of the result.
#pragma once

#include <optional>

#include "optimized/elements/loop_nest.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// By dimension: 1 if it is reduced. A tensor without dimensions has one entry.
using ReducedDims = DimVector;

/// The named dimensions; all if none is named. Raises dim_range and dim_repeated.
ReducedDims reduced_dims(const Tensor& self, const std::optional<IntList>& dim);
/// One, which is wrapped already.
ReducedDims reduced_dim(const Tensor& self, int dim);

/// The sizes of the result. With `keepdim` each reduced dimension stays, of size 1.
DimVector reduced_sizes(const Tensor& self, const ReducedDims& reduced, bool keepdim);

/// Loops over the elements of the result (steps in the tensor and in the result), and over the elements that are
/// reduced to one of them (steps in the tensor).
struct ReductionPlan {
  LoopNest<2> kept;
  LoopNest<1> reduced;
  std::int64_t count = 1;  ///< how many are reduced to one; for a tensor without elements: whether any

  /// `out_strides`: of the result, with or without the reduced dimensions. Elements are reduced in the order that is
  /// fastest.
  ReductionPlan(const Tensor& self, const ReducedDims& dims, bool keepdim, IntList out_strides);
};

}  // namespace plumbline::optimized
