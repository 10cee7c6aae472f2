// What Python's tensors have of autograd besides ops: requires_grad, data, backward, grad, retain_grad, version.
#pragma once

#include <cstdint>
#include <span>

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

/// `y.backward(gradient, retain_graph=…)`; an undefined gradient means none. A backward that raises has changed
/// nothing.
void backward(const Tensor& root, const Tensor& gradient = {}, bool retain_graph = false);

}  // namespace plumbline::optimized
