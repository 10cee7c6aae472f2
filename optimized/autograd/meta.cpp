// How autograd's metadata begins and ends.
#include "optimized/autograd/meta.h"

#include <mutex>
#include <new>

#include "optimized/autograd/hooks.h"
#include "optimized/autograd/locks.h"
#include "optimized/autograd/node.h"

namespace plumbline::optimized {

AutogradMeta::~AutogradMeta() {
  if (!retained) return;
  const std::lock_guard lock(retained_mutex);
  retained->meta = nullptr;
}

AutogradMeta* make_meta() { return new (allocate(sizeof(AutogradMeta))) AutogradMeta; }

void destroy_meta(AutogradMeta* meta) noexcept {
  if (meta->batched) [[unlikely]]
    return destroy_batched_meta(meta);
  meta->~AutogradMeta();
  release(meta, sizeof(AutogradMeta));
}

bool requires_grad(const AutogradMeta& meta) {
  return meta.requires_grad || meta.grad_fn || (meta.is_view() && requires_grad(meta.base));
}

KeySet ideal_keys(const Tensor& tensor) {
  return requires_grad(tensor) ? tensor.keys() : tensor.keys() - kAutogradKeys;
}

}  // namespace plumbline::optimized
