// The autograd functions of Python's tensors that are not ops, as PyTorch's bindings implement them.
#include "adapters/libtorch/autograd.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/utils/error_messages.h>
#include <torch/csrc/autograd/variable.h>

#include "adapters/libtorch/dtypes.h"
#include "adapters/libtorch/version.h"
#include "adapters/walk/unsupported.h"

namespace plumbline::libtorch {

// As THPVariable_set_requires_grad [torch/csrc/autograd/python_variable.cpp].
void set_requires_grad(const at::Tensor& tensor, bool value) {
  TORCH_CHECK(tensor.is_leaf(), torch::autograd::utils::requires_grad_leaf_error(value));
  TORCH_CHECK(!value || torch::autograd::isDifferentiableType(tensor.scalar_type()),
              "only Tensors of floating point and complex dtype can require gradients");
  tensor.set_requires_grad(value);
}

// As THPVariable_requires_grad_ [tools/autograd/templates/python_variable_methods.cpp].
void requires_grad_method(const at::Tensor& tensor, bool value) {
  TORCH_CHECK(tensor.is_leaf() || value, torch::autograd::utils::requires_grad_leaf_error(value));
  TORCH_CHECK(!value || torch::autograd::isDifferentiableType(tensor.scalar_type()),
              "only Tensors of floating point dtype can require gradients");
  tensor.set_requires_grad(value);
}

// As THPVariable_get_data, THPVariable_set_data and THPVariable_get_grad [python_variable.cpp].
at::Tensor get_data(const at::Tensor& tensor) { return tensor.variable_data(); }
void set_data(const at::Tensor& tensor, const at::Tensor& data) { tensor.set_data(data); }
at::Tensor get_grad(const at::Tensor& tensor) { return tensor.grad(); }

// As THPVariable_set_grad [the same file].
void set_grad(const at::Tensor& tensor, const at::Tensor& grad) {
  if (!grad.defined()) return tensor.mutable_grad().reset();
  TORCH_CHECK(!grad.is_same(tensor), "can't assign Variable as its own grad");
  const bool same_dtype = grad.scalar_type() == tensor.scalar_type(), same_sizes = grad.sizes() == tensor.sizes();
  if constexpr (kHasGradDtype) {
    TORCH_CHECK(same_dtype, "attempting to assign a gradient with dtype '", grad.dtype(),
                "' to a tensor with grad_dtype '", tensor.scalar_type(),
                "'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the "
                "tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with "
                "caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that assume "
                "they match.");
    TORCH_CHECK(grad.device().type() == tensor.device().type(), "attempting to assign a gradient with device type '",
                grad.device().type(), "' to a tensor with device type '", tensor.device().type(),
                "'. Please ensure that the gradient and the tensor are on the same device");
    TORCH_CHECK(same_sizes, "attempting to assign a gradient of size '", grad.sizes(), "' to a tensor of size '",
                tensor.sizes(), "'. Please ensure that the gradient and the tensor are the same size");
  } else {
    TORCH_CHECK(same_dtype, "assigned grad has data of a different type");
    TORCH_CHECK(grad.device() == tensor.device(), "assigned grad has data of a different type");
    TORCH_CHECK(same_sizes, "assigned grad has data of a different size");
  }
  tensor.mutable_grad() = grad;
}

void retain_grad(const at::Tensor& tensor) { tensor.retain_grad(); }

// As register_hook [torch/_tensor.py]. Its handle removes a hook from the dictionary that it is in, wherever the tensor
// is by then [torch/utils/hooks.py]; C++'s remove_hook(position) means the hooks of the tensor's present value.
Hook register_hook(const at::Tensor& tensor, std::function<at::Tensor(const at::Tensor&)> hook) {
  TORCH_CHECK(tensor.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  auto removed = std::make_shared<bool>(false);
  tensor.register_hook([removed, hook = std::move(hook)](const at::Tensor& gradient) {
    return *removed ? at::Tensor() : hook(gradient);
  });
  return Hook(std::move(removed));
}

#if PLUMBLINE_LIBTORCH_HAS_HOOKS_AFTER
namespace {

/// The hooks after accumulation of one leaf, in order.
struct HooksAfter : torch::autograd::PostAccumulateGradHook {
  struct One {
    std::shared_ptr<bool> removed;
    std::function<at::Tensor(const at::Tensor&)> hook;
  };
  void operator()(const at::Tensor& leaf) override {
    for (std::size_t i = 0; i < hooks.size(); ++i)  // a hook may add another one
      if (const One one = hooks[i]; !*one.removed) one.hook(leaf);
  }
  std::vector<One> hooks;
};

}  // namespace

// As register_post_accumulate_grad_hook [torch/_tensor.py].
Hook register_hook_after(const at::Tensor& tensor, std::function<at::Tensor(const at::Tensor&)> hook) {
  TORCH_CHECK(tensor.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  TORCH_CHECK(!tensor.grad_fn(), "post accumulate grad hooks cannot be registered on non-leaf tensors");
  auto* found = dynamic_cast<HooksAfter*>(torch::autograd::impl::post_acc_grad_hooks(tensor).get());
  if (found == nullptr) {
    auto made = std::make_unique<HooksAfter>();
    found = made.get();
    torch::autograd::impl::set_post_acc_grad_hooks(tensor, std::move(made));
  }
  auto removed = std::make_shared<bool>(false);
  found->hooks.push_back({removed, std::move(hook)});
  return Hook(std::move(removed));
}
#else
Hook register_hook_after(const at::Tensor& /*tensor*/, std::function<at::Tensor(const at::Tensor&)> /*hook*/) {
  throw walk::Unsupported{"register_post_accumulate_grad_hook, which PyTorch has since 2.1"};
}
#endif

namespace {

/// The gradients from which backward starts, undefined for tensors that do not require grad: as _make_grads
/// [torch/autograd/__init__.py], whose checks and memory format differ from those in C++.
std::vector<at::Tensor> first_gradients(const std::vector<at::Tensor>& roots,
                                        const std::vector<at::Tensor>& gradients) {
  std::vector<at::Tensor> first;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const at::Tensor& root = roots[i];
    const at::Tensor& gradient = gradients[i];
    if (gradient.defined()) {
      TORCH_CHECK(gradient.sizes() == root.sizes(), "Mismatch in shape: grad_output[", i,
                  "] has a shape of torch.Size(", gradient.sizes(), ") and output[", i, "] has a shape of torch.Size(",
                  root.sizes(), ").");
      first.push_back(gradient);
    } else if (root.requires_grad()) {
      TORCH_CHECK(root.numel() == 1, "grad can be implicitly created only for scalar outputs");
      TORCH_CHECK(!kImplicitGradientIsReal || root.is_floating_point(),
                  "grad can be implicitly created only for real scalar outputs but got torch.",
                  dtype_name(root.scalar_type()));
      first.push_back(at::ones_like(root, {}, at::MemoryFormat::Preserve));
    } else {
      first.emplace_back();
    }
  }
  return first;
}

}  // namespace

void backward(const std::vector<at::Tensor>& roots, const std::vector<at::Tensor>& gradients, bool retain_graph,
              bool create_graph, const std::vector<at::Tensor>& inputs) {
  torch::autograd::backward(roots, first_gradients(roots, gradients), retain_graph, create_graph, inputs);
}

std::vector<at::Tensor> get_gradients(const std::vector<at::Tensor>& roots, const std::vector<at::Tensor>& inputs,
                                      const std::vector<at::Tensor>& gradients, bool retain_graph, bool create_graph,
                                      bool allow_unused) {
  return torch::autograd::grad(roots, inputs, first_gradients(roots, gradients), retain_graph, create_graph,
                               allow_unused);
}

}  // namespace plumbline::libtorch
