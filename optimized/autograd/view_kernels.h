// ADInplaceOrView's kernels of view ops: their result becomes a tracked view of their input.
#pragma once

#include <concepts>
#include <new>
#include <vector>

#include "optimized/autograd/node.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

/// The creation metadata of a view that is made now; `several`: it is one of a list
/// [tools/autograd/gen_inplace_or_view_type.py, get_creation_meta_in_mode].
inline CreationMeta creation_now(bool several) {
  const ThreadState& state = thread_state();
  if (state.inference_mode) return CreationMeta::INFERENCE_MODE;
  if (!state.grad_mode) return CreationMeta::NO_GRAD_MODE;
  return several ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::DEFAULT;
}

/// The creation metadata of a view of a view whose own creation metadata is `source` [variable.h,
/// propagate_creation_meta].
inline CreationMeta inherited(CreationMeta source, CreationMeta own) {
  return own == CreationMeta::DEFAULT || source == CreationMeta::INFERENCE_MODE ? source : own;
}

/// Makes `view`, fresh from the backend, a tracked view of the normal tensor `self` or of its base. Raises
/// inference_version if that has no version counter to share.
inline void track_view(const Tensor& self, const Tensor& view, CreationMeta own) {
  const AutogradMeta* source = self.impl().autograd;
  const bool of_view = source != nullptr && source->is_view();
  const Tensor& base = of_view ? source->base : self;
  if (base.impl().uncounted) [[unlikely]]
    raise(ErrorClass::inference_version);
  TensorImpl& impl = view.impl();
  const CreationMeta creation = of_view ? inherited(source->creation, own) : own;
  impl.share_counter(base.impl());
  const std::uint64_t version = impl.version();
  if (impl.autograd == nullptr) [[likely]] {
    impl.autograd = new (allocate(sizeof(AutogradMeta))) AutogradMeta(base, creation, version);
    return;
  }
  impl.autograd->base = base;
  impl.autograd->creation = creation;
  impl.autograd->recorded_at = version;
}
inline void track_view(const Tensor& self, const std::vector<Tensor>& views, CreationMeta own) {
  for (const Tensor& view : views) track_view(self, view, own);
}

template <class Op, class Function = typename Op::Function>
struct ViewKernel;
template <class Op, class R, class... A>
struct ViewKernel<Op, R(const Tensor&, A...)> {
  static R run(const Operator& op, KeySet keys, const Tensor& self, A... arguments) {
    R result = redispatch<Op>(op, keys & kAfterADInplaceOrView, self, arguments...);
    if (!self.is_inference()) track_view(self, result, creation_now(!std::same_as<R, Tensor>));
    return result;
  }
};

/// The kernel of `detach` and `view.dtype`, whose result only shares the version counter of `self`.
template <class Op, class Function = typename Op::Function>
struct SharedCounterKernel;
template <class Op, class... A>
struct SharedCounterKernel<Op, Tensor(const Tensor&, A...)> {
  static Tensor run(const Operator& op, KeySet keys, const Tensor& self, A... arguments) {
    Tensor result = redispatch<Op>(op, keys & kAfterADInplaceOrView, self, arguments...);
    if (self.is_inference()) return result;
    result.impl().uncounted = self.impl().uncounted;
    if (!self.impl().uncounted) result.impl().share_counter(self.impl());
    return result;
  }
};

}  // namespace plumbline::optimized
