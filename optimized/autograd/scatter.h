// Gradients of the elements that an index selected.
#pragma once

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Zeros of `sizes` to which each element of `gradient` is added at the place that `index`, of its sizes, names along
/// `dim`. Raises index_range.
Tensor scatter_add(IntList sizes, std::int64_t dim, const Tensor& index, const Tensor& gradient);
/// The same for an `index` of one dimension, or none, that holds for all of the other dimensions.
Tensor index_add(IntList sizes, std::int64_t dim, const Tensor& index, const Tensor& gradient);

}  // namespace plumbline::optimized
