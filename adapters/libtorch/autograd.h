// The autograd functions of Python's tensors that are not ops: `requires_grad`, `data`, `backward`, `grad`, ….
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace plumbline::libtorch {

/// `x.requires_grad = value`, with the checks of Python's setter.
void set_requires_grad(const at::Tensor& tensor, bool value);

/// `x.requires_grad_(value)`, which allows True on a non-leaf.
void requires_grad_method(const at::Tensor& tensor, bool value);

/// `x.data`.
at::Tensor get_data(const at::Tensor& tensor);

/// `x.data = data`.
void set_data(const at::Tensor& tensor, const at::Tensor& data);

/// `torch.autograd.backward(roots, gradients, …)`, with a gradient for each root; an undefined one means none.
void backward(const std::vector<at::Tensor>& roots, const std::vector<at::Tensor>& gradients, bool retain_graph,
              bool create_graph, const std::vector<at::Tensor>& inputs);
/// `torch.autograd.grad(roots, inputs, gradients, …)`; undefined where it returns None.
std::vector<at::Tensor> get_gradients(const std::vector<at::Tensor>& roots, const std::vector<at::Tensor>& inputs,
                                      const std::vector<at::Tensor>& gradients, bool retain_graph, bool create_graph,
                                      bool allow_unused);

/// `x.grad`; undefined if it is None.
at::Tensor get_grad(const at::Tensor& tensor);

/// `x.grad = grad`; an undefined `grad` means None.
void set_grad(const at::Tensor& tensor, const at::Tensor& grad);

/// `x.retain_grad()`.
void retain_grad(const at::Tensor& tensor);

/// What `x.register_hook(hook)` returns.
class Hook {
 public:
  explicit Hook(std::shared_ptr<bool> removed) : removed_(std::move(removed)) {}
  void remove() { *removed_ = true; }

 private:
  std::shared_ptr<bool> removed_;
};
/// `x.register_hook(hook)`; an undefined result means None.
Hook register_hook(const at::Tensor& tensor, std::function<at::Tensor(const at::Tensor&)> hook);
/// `with torch.autograd.graph.saved_tensors_hooks(pack, unpack):`, up to the end of what it returns.
std::shared_ptr<void> saved_tensors_hooks(std::function<at::Tensor(const at::Tensor&)> pack,
                                          std::function<at::Tensor(const at::Tensor&)> unpack);
/// `x.register_post_accumulate_grad_hook(hook)`. Throws walk::Unsupported before PyTorch 2.1, which added it.
Hook register_hook_after(const at::Tensor& tensor, std::function<at::Tensor(const at::Tensor&)> hook);

}  // namespace plumbline::libtorch
