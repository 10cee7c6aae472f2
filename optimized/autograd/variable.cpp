// What Python's tensors have of autograd besides ops: requires_grad, grad, retain_grad, version and history.
#include "optimized/autograd/variable.h"

#include <algorithm>
#include <mutex>

#include "optimized/autograd/history.h"
#include "optimized/autograd/locks.h"
#include "optimized/cpu/checks.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::optimized {

namespace {

/// [TensorImpl.cpp, set_requires_grad, and what its callers check before]
void set_flag(const Tensor& tensor, bool value) {
  if (value && !is_differentiable(tensor.dtype())) raise(ErrorClass::grad_dtype);
  if (value && tensor.is_inference() && !thread_state().inference_mode) raise(ErrorClass::inference_requires_grad);
  if (!value && tensor.impl().autograd == nullptr) return;
  meta_of(tensor.impl()).requires_grad = value;
}

[[noreturn]] void raise_interior(bool value) {
  constexpr std::string_view words = "you can only change requires_grad flags of leaf variables.";
  if (value) raise_saying(ErrorClass::not_a_leaf, std::string(words));
  raise_saying(ErrorClass::not_a_leaf, message_beginning(ErrorClass::not_a_leaf, std::string(words) + " If", {}));
}

}  // namespace

void set_requires_grad(const Tensor& tensor, bool value) {
  if (has_history(tensor)) raise_interior(value);
  set_flag(tensor, value);
}

void requires_grad_method(const Tensor& tensor, bool value) {
  if (has_history(tensor) && !value) raise_interior(value);
  set_flag(tensor, value);
}

std::uint64_t version_of(const Tensor& tensor) {
  if (tensor.impl().uncounted) raise(ErrorClass::inference_version);
  return tensor.impl().version();
}

bool has_grad_fn(const Tensor& tensor) { return static_cast<bool>(grad_fn_of(tensor)); }

bool is_leaf(const Tensor& tensor) { return !has_grad_fn(tensor); }

Tensor grad_of(const Tensor& tensor) {
  const AutogradMeta* meta = tensor.impl().autograd;
  return meta == nullptr ? Tensor() : meta->grad;
}

void set_grad(const Tensor& tensor, const Tensor& grad) {
  if (!grad.defined()) {
    if (tensor.impl().autograd != nullptr) tensor.impl().autograd->grad = {};
    return;
  }
  if (tensor.is_same(grad)) raise_saying(ErrorClass::grad_shape, "can't assign Variable as its own grad");
  if (grad.dtype() != tensor.dtype())
    raise_saying(ErrorClass::grad_shape,
                 message_beginning(ErrorClass::grad_shape, "attempting to assign a gradient with dtype",
                                   {std::string(scalar_name(grad.dtype())), std::string(scalar_name(tensor.dtype()))}));
  if (grad.device() != tensor.device())
    raise_saying(ErrorClass::device,
                 message_beginning(ErrorClass::device, "attempting to assign a gradient with device type",
                                   {device_type(grad.device()), device_type(tensor.device())}));
  if (!std::ranges::equal(grad.sizes(), tensor.sizes()))
    raise_saying(ErrorClass::grad_shape, "attempting to assign a gradient of size '" + printed(grad.sizes()) +
                                             "' to a tensor of size '" + printed(tensor.sizes()) +
                                             "'. Please ensure that the gradient and the tensor are the same size");
  meta_of(tensor.impl()).grad = grad;
}

void retain_grad(const Tensor& tensor) {
  if (!requires_grad(tensor)) raise(ErrorClass::retain_grad);
  if (!has_history(tensor)) return;  // a leaf's gradient is kept anyway
  AutogradMeta& meta = *tensor.impl().autograd;
  if (meta.retained) return;
  const Ref<Node> node = grad_fn_of(tensor);
  auto retained = Ref<RetainedGrad>::adopt(new RetainedGrad(&meta));
  retained->node = node.get();
  retained->output = meta.output;
  const std::lock_guard lock(retained_mutex);
  node->retained.push_back(retained);
  meta.retained = std::move(retained);
}

void end_retaining(const Tensor& tensor) {
  AutogradMeta* meta = tensor.impl().autograd;
  if (meta == nullptr) return;
  const std::lock_guard lock(retained_mutex);
  if (!meta->retained) return;
  if (meta->retained->node != nullptr) std::erase(meta->retained->node->retained, meta->retained);
  meta->retained = {};
}

}  // namespace plumbline::optimized
