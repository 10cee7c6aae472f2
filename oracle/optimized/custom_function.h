// A custom autograd function whose bodies a script has: what Python's `F.apply` does.
#pragma once

#include <vector>

#include "optimized/tensor/tensor.h"
#include "oracle/walk/context.h"

namespace plumbline::optimized {

/// `F.apply(*inputs)`. Throws what the forward body throws, and what the runtime says of what it marks and returns.
std::vector<Tensor> apply(const walk::Bodies<Tensor>& bodies, const std::vector<Tensor>& inputs);

}  // namespace plumbline::optimized
