// A custom autograd function whose bodies come from a script: what Python's `F.apply` does.
#pragma once

#include <vector>

#include "adapters/walk/context.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// `F.apply(*inputs)`. Throws what the forward body throws, and the runtime's errors about its marks and results.
std::vector<Tensor> apply(const walk::Bodies<Tensor>& bodies, const std::vector<Tensor>& inputs);

}  // namespace plumbline::optimized
