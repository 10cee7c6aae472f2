// `torch.func.functionalize(body, remove=…)(…)`, by functorch's layer in C++.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "spec/statement.h"

namespace plumbline::libtorch {

/// What `body` gives, once what it wrote is in `inputs`. Throws what it throws, and then inputs are as they were.
/// As functionalize [torch/_functorch/eager_transforms.py], and what that calls [torch/csrc/functorch/init.cpp].
std::vector<at::Tensor> functionalize(const std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>& body,
                                      Remove remove, const std::vector<at::Tensor>& inputs);

/// A tensor that was made from a list, as a functionalized body that runs now has it.
at::Tensor lifted(at::Tensor made);

}  // namespace plumbline::libtorch
