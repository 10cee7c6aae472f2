// What Python's tensors have of autograd beside ops, as its bindings do it.
#include "oracle/libtorch/autograd.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/utils/error_messages.h>
#include <torch/csrc/autograd/variable.h>

#include "oracle/libtorch/dtypes.h"

namespace plumbline::libtorch {

// As THPVariable_set_requires_grad [torch/csrc/autograd/python_variable.cpp].
void set_requires_grad(const at::Tensor& tensor, bool value) {
  TORCH_CHECK(tensor.is_leaf(), torch::autograd::utils::requires_grad_leaf_error(value));
  TORCH_CHECK(!value || torch::autograd::isDifferentiableType(tensor.scalar_type()),
              "only Tensors of floating point and complex dtype can require gradients");
  tensor.set_requires_grad(value);
}

// As THPVariable_get_data, THPVariable_set_data and THPVariable_get_grad [the same file].
at::Tensor get_data(const at::Tensor& tensor) { return tensor.variable_data(); }
void set_data(const at::Tensor& tensor, const at::Tensor& data) { tensor.set_data(data); }
at::Tensor get_grad(const at::Tensor& tensor) { return tensor.grad(); }

// As _make_grads [torch/autograd/__init__.py], whose checks and memory format are not those of C++'s own.
void backward(const at::Tensor& tensor) {
  std::vector<at::Tensor> gradients;
  if (tensor.requires_grad()) {
    TORCH_CHECK(tensor.numel() == 1, "grad can be implicitly created only for scalar outputs");
    TORCH_CHECK(tensor.is_floating_point(),
                "grad can be implicitly created only for real scalar outputs but got torch.",
                dtype_name(tensor.scalar_type()));
    gradients.push_back(at::ones_like(tensor, {}, at::MemoryFormat::Preserve));
  }
  torch::autograd::backward({tensor}, gradients);
}

}  // namespace plumbline::libtorch
