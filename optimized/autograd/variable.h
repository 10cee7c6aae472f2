// What Python's tensors have of autograd besides ops: requires_grad, data, backward, grad, retain_grad, version.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimized/autograd/meta.h"

namespace plumbline::optimized {

/// `x.requires_grad = value`, with the checks of Python's setter: raises not_a_leaf, grad_dtype,
/// inference_requires_grad.
void set_requires_grad(const Tensor& tensor, bool value);
/// `x.requires_grad_(value)`, which lets a tensor that is not a leaf pass with True.
void requires_grad_method(const Tensor& tensor, bool value);

/// `x.data`: shares x's memory; autograd and x's version counter know nothing of it.
Tensor data_of(const Tensor& tensor);
/// `x.data = data`: x takes everything of `data` but its autograd metadata and its version counter.
void set_data(const Tensor& tensor, const Tensor& data);

/// `x._version`; raises inference_version.
std::uint64_t version_of(const Tensor& tensor);
/// Whether there is a grad_fn; for a view whose base was written since, its history is made again first, or
/// stale_view_… is raised.
bool has_grad_fn(const Tensor& tensor);
/// A tensor without a grad_fn; raises as has_grad_fn.
bool is_leaf(const Tensor& tensor);
/// Whether it is a tracked view, its base, and how it was made. Both of a tensor that is one.
inline bool is_view(const Tensor& tensor) {
  const AutogradMeta* meta = tensor.impl().autograd;
  return meta != nullptr && meta->is_view();
}
inline const Tensor& base_of(const Tensor& view) { return view.impl().autograd->base; }
inline CreationMeta creation_meta_of(const Tensor& view) { return view.impl().autograd->creation; }

/// `x.grad`; undefined where there is none.
Tensor grad_of(const Tensor& tensor);
/// `x.grad = grad`; an undefined one is None. Raises grad_shape.
void set_grad(const Tensor& tensor, const Tensor& grad);
/// `x.retain_grad()`; raises retain_grad.
void retain_grad(const Tensor& tensor);

/// Undoes a retain_grad() that has had no effect yet.
void end_retaining(const Tensor& tensor);

/// `torch.autograd.backward(roots, gradients, …)`: a gradient for each root; an undefined one means none, and without
/// inputs every leaf gets its gradient. A backward that raises has changed nothing.
void backward(std::span<const Tensor> roots, std::span<const Tensor> gradients, bool retain_graph = false,
              std::span<const Tensor> inputs = {}, bool create_graph = false);
/// `y.backward(gradient, retain_graph=…, inputs=…, create_graph=…)`.
inline void backward(const Tensor& root, const Tensor& gradient = {}, bool retain_graph = false,
                     std::span<const Tensor> inputs = {}, bool create_graph = false) {
  backward(std::span(&root, 1), std::span(&gradient, 1), retain_graph, inputs, create_graph);
}
/// `torch.autograd.grad(roots, inputs, gradients, …)`: a gradient for each input, undefined if none reached it. Raises
/// input_requires_no_grad and, unless `allow_unused`, input_unused; nothing has changed then.
std::vector<Tensor> gradients(std::span<const Tensor> roots, std::span<const Tensor> inputs,
                              std::span<const Tensor> gradients, bool retain_graph = false, bool allow_unused = false,
                              bool create_graph = false);
/// `torch.autograd.grad(y, inputs, gradient, …)`.
inline std::vector<Tensor> gradients(const Tensor& root, std::span<const Tensor> inputs, const Tensor& gradient = {},
                                     bool retain_graph = false, bool allow_unused = false, bool create_graph = false) {
  return gradients(std::span(&root, 1), inputs, std::span(&gradient, 1), retain_graph, allow_unused, create_graph);
}

}  // namespace plumbline::optimized
