// The CPU's softmax.
#pragma once

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// `_softmax`: exp(x - m) / Σ exp(x - m) along `dim`, where m is the largest x [aten/src/ATen/native/SoftMax.cpp].
Tensor softmax_kernel(const Tensor& self, std::int64_t dim, bool half_to_float);

}  // namespace plumbline::optimized
