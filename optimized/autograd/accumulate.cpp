// AccumulateGrad: the node that adds a gradient to a leaf.
#include "optimized/autograd/accumulate.h"

#include <limits>
#include <mutex>
#include <utility>

#include "optimized/autograd/engine.h"
#include "optimized/autograd/history.h"
#include "optimized/autograd/locks.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

// As soon as its gradient is complete, it runs before any other node.
AccumulateGrad::AccumulateGrad(const Tensor& leaf)
    : Node(std::numeric_limits<std::uint64_t>::max()), leaf_(leaf), shape_(OutputShape::of(leaf)) {
  outputs_ = std::span(&shape_, 1);
}

Ref<Node> AccumulateGrad::of(const Tensor& leaf) {
  AutogradMeta* meta = leaf.impl().autograd;
  if (meta == nullptr || !meta->requires_grad) return {};
  const std::lock_guard lock(leaf_locks.of(meta));
  if (meta->accumulator == nullptr || !meta->accumulator->retain_if_held())
    meta->accumulator = new AccumulateGrad(leaf);
  return Ref<Node>::adopt(meta->accumulator);
}

void AccumulateGrad::forget(AutogradMeta& meta) {
  const std::lock_guard lock(leaf_locks.of(&meta));
  meta.accumulator = nullptr;
}

void AccumulateGrad::part(AutogradMeta& meta) {
  Tensor leaf;  // ends when no lock is held
  const std::lock_guard lock(leaf_locks.of(&meta));
  if (meta.accumulator == nullptr) return;
  leaf = std::exchange(meta.accumulator->leaf_, {});
  meta.accumulator = nullptr;
}

Ref<HookList> AccumulateGrad::leaf_hooks() const {
  return leaf_.defined() ? leaf_.impl().autograd->hooks : Ref<HookList>();
}

bool AccumulateGrad::ends() {
  if (!leaf_.defined()) return true;
  AutogradMeta* meta = leaf_.impl().autograd;
  const std::lock_guard lock(leaf_locks.of(meta));
  if (uses() != 0 && !drop()) return false;
  if (meta->accumulator == this) meta->accumulator = nullptr;
  return true;
}

Tensors AccumulateGrad::apply(const Tensors& gradients, Backward& run) {
  if (!leaf_.defined() || !gradients[0].defined()) return {};
  if (grad_fn_of(leaf_)) raise(ErrorClass::leaf_moved);
  if (requires_grad(leaf_)) run.accumulate(leaf_, gradients[0]);
  return {};
}

}  // namespace plumbline::optimized
