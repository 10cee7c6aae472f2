// What every gradient may need: to fit a shape, and to be scaled by a number.
#pragma once

#include "optimized/ops.h"

namespace plumbline::optimized {

/// A tensor without dimensions that stands for a Python number.
Tensor number(Scalar value);
/// `gradient * factor`, or the gradient itself if the factor is 1.
Tensor scaled(const Tensor& gradient, Scalar factor);
/// Whether a tensor of `sizes` broadcasts to `wanted` [aten/src/ATen/ExpandUtils.h, is_expandable_to].
bool expands_to(IntList sizes, IntList wanted);
/// The sum over what broadcasting repeated, back to the original sizes [ExpandUtils.h, sum_to].
Tensor sum_to_sizes(const Tensor& gradient, IntList sizes);

}  // namespace plumbline::optimized
