// Making batched tensors.
#include "optimized/transforms/batched.h"

#include <algorithm>
#include <new>

#include "optimized/autograd/meta.h"
#include "optimized/autograd/node.h"
#include "optimized/ops.h"
#include "optimized/tensor/pool.h"

namespace plumbline::optimized {

namespace {

/// A batched tensor has no history of its own: autograd sees the tensor of all examples.
struct BatchedMeta : AutogradMeta {
  explicit BatchedMeta(Batched what) : of(std::move(what)) { batched = true; }
  Batched of;
};

}  // namespace

void destroy_batched_meta(AutogradMeta* meta) noexcept {
  auto* whole = static_cast<BatchedMeta*>(meta);
  whole->~BatchedMeta();
  release(whole, sizeof(BatchedMeta));
}

const Batched* batched(const Tensor& tensor) {
  const AutogradMeta* meta = tensor.impl().autograd;
  return meta != nullptr && meta->batched ? &static_cast<const BatchedMeta*>(meta)->of : nullptr;
}

Tensor innermost(Tensor tensor) {
  while (const Batched* outer = batched(tensor)) tensor = Tensor(outer->value);
  return tensor;
}

Tensor with_dim_moved(const Tensor& tensor, int from, int to) {
  if (from == to) return tensor;
  std::vector<std::int64_t> order;
  for (int dim = 0; dim < tensor.dim(); ++dim)
    if (dim != from) order.push_back(dim);
  order.insert(order.begin() + to, from);
  return permute(tensor, order);
}

Tensor make_batched(const Tensor& value, int dim, int level) {
  Tensor seen = blank_alias_of(value, value.dim() - 1, value.offset());
  TensorImpl& impl = seen.impl();
  impl.numel = 1;
  for (int from = 0, to = 0; from < value.dim(); ++from) {
    if (from == dim) continue;
    impl.sizes()[to] = value.size(from);
    impl.strides()[to] = value.stride(from);
    impl.numel *= value.size(from);
    ++to;
  }
  impl.wrapped_number = value.impl().wrapped_number;
  become_batched(seen, {value, dim, level});
  return seen;
}

void become_batched(const Tensor& tensor, Batched of) {
  TensorImpl& impl = tensor.impl();
  impl.keys = impl.keys | Functionality::FuncTorchBatched;
  void* const at = allocate(sizeof(BatchedMeta));
  impl.autograd = new (at) BatchedMeta(std::move(of));
}

std::vector<MappedLevel>& mapped_levels() {
  thread_local std::vector<MappedLevel> levels;
  return levels;
}

}  // namespace plumbline::optimized
