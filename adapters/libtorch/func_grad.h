// `torch.func.grad(body, argnums=…)(…)`, by functorch's layer in C++.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Returns the gradients of what `body` returns, one tensor, and that tensor, if `how` asks for the value. Throws what
/// `body` throws, and the errors of grad_and_value_impl [torch/_functorch/eager_transforms.py], with what it calls
/// [torch/csrc/functorch/init.cpp].
std::vector<at::Tensor> func_grad(const std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>& body,
                                  const Grad& how, const std::vector<at::Tensor>& inputs);

}  // namespace plumbline::libtorch
