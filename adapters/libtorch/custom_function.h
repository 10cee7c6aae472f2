// A custom torch.autograd.Function whose bodies are given as functions: what Python's `F.apply` does.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "adapters/walk/context.h"

namespace plumbline::libtorch {

using Tensors = std::vector<at::Tensor>;
using Context = walk::Context<at::Tensor>;
using Bodies = walk::Bodies<at::Tensor>;

/// `F.apply(*inputs)`. Throws what the forward body throws, and PyTorch's errors about what it marks and returns.
Tensors apply(const Bodies& bodies, const Tensors& inputs);

}  // namespace plumbline::libtorch
