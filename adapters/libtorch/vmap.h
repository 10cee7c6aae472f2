// `torch.vmap(body, …)(…)`, by functorch's layer in C++.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Returns the results of `body`, which sees one example. Throws what `body` throws, and the errors of dimensions, as
/// vmap does [torch/_functorch/vmap.py], with what it calls [torch/csrc/functorch/init.cpp]. Throws Unsupported where
/// PyTorch would write outside its memory.
std::vector<at::Tensor> vmap(const std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>& body,
                             const Vmap& how, const std::vector<MappedDim>& out_dims,
                             const std::vector<at::Tensor>& inputs);

}  // namespace plumbline::libtorch
