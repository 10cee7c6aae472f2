// Ops that choose by a mask.
#pragma once

#include "optimized/tensor/scalar.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized::masked {

/// Each is the op of its name [aten/src/ATen/native/TensorCompare.cpp, TensorAdvancedIndexing.cpp, Activation.cpp].
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);
/// The gradient, but 0 where self is at most the threshold.
Tensor threshold_backward(const Tensor& gradient, const Tensor& self, Scalar threshold);
Tensor masked_fill(const Tensor& self, const Tensor& mask, Scalar value);
const Tensor& masked_fill_(const Tensor& self, const Tensor& mask, Scalar value);

}  // namespace plumbline::optimized::masked
