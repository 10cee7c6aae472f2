// Which elements of a tensor are reduced to each element of the result.
#pragma once

#include <optional>

#include "optimized/elements/primitives.h"
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

/// The loops of a reduction.
struct ReductionPlan : ReductionLoops {
  /// `out_strides`: of the result, with or without the reduced dimensions. Elements are reduced in the order that is
  /// fastest.
  ReductionPlan(const Tensor& self, const ReducedDims& dims, bool keepdim, IntList out_strides);
};

}  // namespace plumbline::optimized
