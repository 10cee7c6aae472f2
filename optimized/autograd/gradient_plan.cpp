// What backward will do to `.grad`, deferred until nothing can fail.
#include "optimized/autograd/gradient_plan.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "optimized/autograd/gradients.h"
#include "optimized/autograd/inplace_kernels.h"
#include "optimized/autograd/locks.h"
#include "optimized/cpu/checks.h"
#include "optimized/ops.h"

namespace plumbline::optimized {

namespace {

constexpr Enumerated kContiguousFormat = 0;

/// Whether no one else has the tensor or its memory.
bool is_sole_owner(const Tensor& tensor) {
  return tensor.impl().autograd == nullptr && tensor.impl().uses() == 1 && tensor.storage()->uses() == 1;
}

/// [torch/csrc/autograd/utils/grad_layout_contract.h]
bool obeys_layout(const Tensor& gradient, const Tensor& leaf) {
  if (!std::ranges::equal(gradient.sizes(), leaf.sizes())) return false;
  if (!is_dense(leaf.sizes(), leaf.strides())) return gradient.is_contiguous();
  for (int d = 0; d < gradient.dim(); ++d)
    if (gradient.size(d) != 1 && gradient.stride(d) != leaf.stride(d)) return false;
  return true;
}

/// Whether its kind is that of the thread's mode: a custom backward may have made it in another mode.
bool is_of_this_mode(const Tensor& gradient) { return gradient.is_inference() == thread_state().inference_mode; }

/// Where a size is 1 a layout is obeyed whatever the stride; `.grad` still has the leaf's.
Tensor with_strides_of(const Tensor& leaf, const Tensor& gradient) {
  if (!std::ranges::equal(gradient.strides(), leaf.strides()) && is_dense(leaf.sizes(), leaf.strides()))
    std::ranges::copy(leaf.strides(), gradient.impl().strides());
  return gradient;
}

/// A copy of the gradient in the layout of the leaf.
Tensor copied_for(const Tensor& leaf, const Tensor& gradient) {
  if (!is_dense(leaf.sizes(), leaf.strides())) return clone(gradient, kContiguousFormat);
  const DeviceGuard guard(gradient.device());
  Tensor made = empty_strided(leaf.sizes(), leaf.strides(), gradient.dtype());
  copy_(made, gradient);
  return made;
}

/// A new `.grad` of the leaf, with its own memory and with backward's mode.
Tensor made_for(const Tensor& leaf, const Tensor& gradient) {
  if (is_sole_owner(gradient) && is_of_this_mode(gradient) && obeys_layout(gradient, leaf))
    return with_strides_of(leaf, gradient);
  return copied_for(leaf, gradient);
}

/// Raises what `grad.add_(gradient)` would.
void check_addition(const Tensor& grad, const Tensor& gradient) {
  const KeySet keys = with_thread(grad.keys() | gradient.keys());
  if (keys.has_any(Functionality::ADInplaceOrView)) check_writable(grad.impl());
  check_output_sizes(grad.sizes(), broadcast_sizes(grad.sizes(), gradient.sizes()));
  check_cast(result_type(grad, gradient), grad.dtype());
  check_internal_overlap(grad);
  check_partial_overlap(grad, gradient);
}

Tensor grad_now(const AutogradMeta& meta) {
  const std::lock_guard lock(leaf_locks.of(&meta));
  return meta.grad;
}

}  // namespace

void GradientPlan::replace(const Tensor& leaf, const Tensor& gradient) {
  const Tensor grad = grad_now(*leaf.impl().autograd);
  leaves_.push_back({leaf, gradient, false, grad, grad.defined() ? add(grad, gradient) : copied_for(leaf, gradient)});
}

void GradientPlan::accumulate(const Tensor& leaf, const Tensor& gradient) {
  if (thread_state().grad_mode) return replace(leaf, gradient);
  const auto planned =
      std::ranges::find_if(leaves_, [&](const Leaf& one) { return one.fresh && one.leaf.is_same(leaf); });
  if (planned != leaves_.end()) {
    add_(planned->gradient, gradient);
    return;
  }
  const Tensor grad = grad_now(*leaf.impl().autograd);
  if (!grad.defined()) {
    leaves_.push_back({leaf, made_for(leaf, gradient), true});
    return;
  }
  check_addition(grad, gradient);
  leaves_.push_back({leaf, gradient, false});
}

void GradientPlan::retain(const Ref<RetainedGrad>& retained, const Tensor& gradient) {
  auto planned = std::ranges::find(retained_, retained, &Retained::retained);
  if (planned == retained_.end()) {
    const std::lock_guard lock(retained_mutex);
    if (retained->meta == nullptr) return;
    retained_.push_back({retained, retained->meta->grad});
    planned = retained_.end() - 1;
  }
  planned->grad = planned->grad.defined() ? add(planned->grad, gradient) : clone(gradient, kContiguousFormat);
}

void GradientPlan::commit(Leaf& one) {
  AutogradMeta& meta = *one.leaf.impl().autograd;
  const std::lock_guard lock(leaf_locks.of(&meta));
  const bool replaces = one.made.defined();
  if (replaces && meta.grad.is_same(one.found))
    std::swap(meta.grad, one.made);
  else if (replaces && meta.grad.defined())  // another thread was faster
    meta.grad = add(meta.grad, one.gradient);
  else if (meta.grad.defined())
    add_(meta.grad, one.gradient);
  else
    meta.grad = one.fresh ? std::move(one.gradient) : clone(one.gradient);
}

void GradientPlan::commit(const Tensor& leaf) {
  for (Leaf& one : leaves_)
    if (one.leaf.is_same(leaf)) commit(one);
  std::erase_if(leaves_, [&](const Leaf& one) { return one.leaf.is_same(leaf); });
}

void GradientPlan::commit() {
  for (Leaf& one : leaves_) commit(one);
  for (Retained& one : retained_) {
    const std::lock_guard lock(retained_mutex);
    if (one.retained->meta != nullptr) std::swap(one.retained->meta->grad, one.grad);
  }
}

}  // namespace plumbline::optimized
