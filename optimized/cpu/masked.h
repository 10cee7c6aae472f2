// Ops that choose by a mask.
#pragma once

#include "optimized/tensor/scalar.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized::masked {

/// Each is the op of its name [aten/src/ATen/native/TensorCompare.cpp, TensorAdvancedIndexing.cpp].
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);
Tensor masked_fill(const Tensor& self, const Tensor& mask, Scalar value);
const Tensor& masked_fill_(const Tensor& self, const Tensor& mask, Scalar value);

}  // namespace plumbline::optimized::masked
