// `torch.func.functionalize(body, remove=…)(…)`, by functorch's layer in C++.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Returns the results of `body`, after its writes have been copied into `inputs`. Throws what `body` throws; `inputs`
/// are then unchanged. As functionalize [torch/_functorch/eager_transforms.py], and what it calls
/// [torch/csrc/functorch/init.cpp].
std::vector<at::Tensor> functionalize(const std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>& body,
                                      Remove remove, const std::vector<at::Tensor>& inputs);

/// A tensor that was made from a list: wrapped, if a functionalized body runs now.
at::Tensor lifted(at::Tensor made);

}  // namespace plumbline::libtorch
