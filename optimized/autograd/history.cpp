// A tensor's history: how it is set, and how a view's follows its base.
#include "optimized/autograd/history.h"

#include <mutex>
#include <utility>

#include "optimized/autograd/accumulate.h"
#include "optimized/autograd/copy_slices.h"
#include "optimized/autograd/locks.h"
#include "optimized/autograd/view_errors.h"
#include "optimized/cpu/checks.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// The tensor's new history. A retained gradient goes with it, hooks stay [variable.cpp,
/// update_tensor_hooks_on_new_gradfn].
void set_node(AutogradMeta& meta, const Ref<Node>& node, std::uint32_t output) {
  const Ref<Node> before = std::exchange(meta.grad_fn, node);  // ends when no lock is held
  meta.output = output;
  meta.hooks_open = false;
  if (!meta.retained) return;
  const std::lock_guard lock(retained_mutex);
  meta.retained->node = node.get();
  meta.retained->output = output;
  node->retained.push_back(meta.retained);
}

}  // namespace

Ref<Node> grad_fn_of(const Tensor& tensor) {
  AutogradMeta* meta = tensor.impl().autograd;
  if (meta == nullptr) return {};
  if (!meta->is_view()) return meta->grad_fn;
  Ref<Node> before;  // ends when no lock is held
  const std::lock_guard lock(view_locks.of(meta));
  if (!meta->grad_fn && !requires_grad(meta->base)) return {};
  const std::uint64_t version = tensor.impl().version();
  if (meta->recorded_at == version) return meta->grad_fn;
  if (meta->creation != CreationMeta::DEFAULT) raise_stale_view(*meta);
  before = meta->grad_fn;
  set_node(*meta, as_strided_of_base(meta->base, tensor), 0);
  meta->recorded_at = version;
  return meta->grad_fn;
}

namespace {

/// Whether it is a view without history of a tensor that requires grad; not because a running body of torch.func.grad
/// differentiates by that.
bool ends_outside(const Tensor& tensor) {
  const AutogradMeta* const meta = tensor.impl().autograd;
  if (meta == nullptr || !meta->is_view() || !requires_grad(meta->base)) return false;
  const Tensor& base = meta->base;
  return base.storage()->level() == 0 && !(has_history(base) && base.impl().autograd->grad_fn->stands_for_leaf());
}

}  // namespace

Edge gradient_edge(const Tensor& tensor) {
  if (Ref<Node> node = grad_fn_of(tensor)) return {std::move(node), tensor.impl().autograd->output};
  if (Ref<Node> leaf = AccumulateGrad::of(tensor)) return {std::move(leaf), 0};
  return {{}, 0, ends_outside(tensor)};
}

void check_inplace(const Tensor& written) {
  const AutogradMeta* meta = written.impl().autograd;
  if (meta == nullptr) return;
  const auto is_written_as_leaf = [](const Tensor& tensor) {
    return !has_history(tensor) || tensor.impl().autograd->grad_fn->stands_for_leaf();
  };
  if (meta->is_view()) {
    if (meta->creation != CreationMeta::DEFAULT) raise_written_view(*meta);
    if (requires_grad(written) && is_written_as_leaf(meta->base)) raise(ErrorClass::view_of_leaf_inplace);
  }
  if (requires_grad(written) && is_written_as_leaf(written)) raise(ErrorClass::leaf_inplace);
}

void set_history(const Tensor& result, const Ref<Node>& node, std::uint32_t output) {
  if (!is_differentiable(result.dtype()))
    raise_saying(ErrorClass::grad_dtype, std::string("Autograd not support dtype: ") + scalar_name(result.dtype()));
  node->set_output(output, result);
  AutogradMeta& meta = meta_of(result.impl());
  set_node(meta, node, output);
  if (meta.is_view()) meta.recorded_at = result.impl().version();
}

void rebase_history(const Tensor& written, const Ref<Node>& node, std::uint32_t output) {
  node->set_output(output, written);
  AutogradMeta& meta = meta_of(written.impl());
  if (!meta.is_view()) return set_node(meta, node, output);
  meta.output = 0;
  set_node(meta_of(meta.base.impl()), copy_slices(meta.base, written, node), 0);
  grad_fn_of(written);
}

void drop_history(const Tensor& tensor) {
  AutogradMeta* meta = tensor.impl().autograd;
  if (meta == nullptr) return;
  meta->requires_grad = false;
  meta->output = 0;
  meta->grad_fn = {};
}

}  // namespace plumbline::optimized
