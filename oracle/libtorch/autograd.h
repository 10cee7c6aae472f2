// What Python's tensors have of autograd beside ops: `requires_grad`, `data`, `backward`, `grad`.
#pragma once

#include <ATen/core/Tensor.h>

namespace plumbline::libtorch {

/// `x.requires_grad = value`, with the checks of Python's setter.
void set_requires_grad(const at::Tensor& tensor, bool value);

/// `x.data`.
at::Tensor get_data(const at::Tensor& tensor);

/// `x.data = data`.
void set_data(const at::Tensor& tensor, const at::Tensor& data);

/// `y.backward()`.
void backward(const at::Tensor& tensor);

/// `x.grad`; undefined where there is none.
at::Tensor get_grad(const at::Tensor& tensor);

}  // namespace plumbline::libtorch
