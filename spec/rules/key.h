// KEY: the key sets of tensors, the key set of a call, and which kernel runs next.
#pragma once

#include "spec/ops/ops.h"
#include "spec/rules/rule.h"
#include "spec/vocabulary/keys.h"

namespace plumbline {

inline constexpr Rule KEY_01{Family::KEY, 1};
inline constexpr Rule KEY_02{Family::KEY, 2};
inline constexpr Rule KEY_03{Family::KEY, 3};
inline constexpr Rule KEY_04{Family::KEY, 4};
inline constexpr Rule KEY_05{Family::KEY, 5};
inline constexpr Rule KEY_06{Family::KEY, 6};
inline constexpr Rule KEY_07{Family::KEY, 7};
inline constexpr Rule KEY_08{Family::KEY, 8};
inline constexpr Rule KEY_09{Family::KEY, 9};
inline constexpr Rule KEY_10{Family::KEY, 10};

/// The bits of all backends in the layout in which the rules write key sets.
inline constexpr std::uint64_t kBackendMask = (std::uint64_t{1} << kBackends) - 1;

/// c10's set difference: removes `b`'s functionalities from `a` and keeps `a`'s backends. `backends`: the bits of
/// backends, for sets of another layout (`backend_mask`).
template <Domain D>
constexpr KeySet<D> without(const KeySet<D>& a, const KeySet<D>& b, std::uint64_t backends = kBackendMask) {
  return a - (b - KeySet<D>::raw(backends));
}

/// Only the backends of a set.
template <Domain D>
constexpr KeySet<D> backends_of(const KeySet<D>& keys) {
  return keys & KeySet<D>::raw(kBackendMask);
}

/// Every Autograd functionality, of all backends.
template <Domain D>
constexpr KeySet<D> autograd_keys() {
  return KeySet<D>(Functionality::Autograd) | Functionality::AutogradOther | Functionality::AutogradNestedTensor;
}

/// The keys of a tensor of the CPU backend, by whether it is an inference tensor.
template <Domain D>
constexpr KeySet<D> tensor_keys(const Judge<D>& judge, const Bool<D>& inference) {
  const KeySet<D> dense = KeySet<D>(Functionality::Dense) | Backend::CPU;
  const KeySet<D> cast = dense | Functionality::AutocastCPU;
  const KeySet<D> kernel = judge(KEY_09, cast, select(inference, dense, cast));
  const auto if_normal = [&](Functionality key) { return select(inference, KeySet<D>(), KeySet<D>(key)); };
  const KeySet<D> grad = judge(KEY_02, if_normal(Functionality::Autograd), if_normal(Functionality::AutogradOther));
  const KeySet<D> view = judge(KEY_03, if_normal(Functionality::ADInplaceOrView), KeySet<D>());
  return kernel | grad | view;
}

/// The keys that a tensor shows and brings to a call; `keys`: the ones that it was made with. Computed at each use,
/// because requires_grad can change later, also through the base.
template <Domain D>
constexpr KeySet<D> carried_keys(const Judge<D>& judge, const KeySet<D>& keys, const Bool<D>& requires_grad) {
  const KeySet<D> while_needed = select(requires_grad, keys, without(keys, autograd_keys<D>()));
  return judge(KEY_10, keys, while_needed, In{Profile::ideal, while_needed});
}

/// Folds one more tensor argument into the key set of a call.
template <Domain D>
constexpr KeySet<D> join_keys(const Judge<D>& judge, const KeySet<D>& so_far, const KeySet<D>& next) {
  return judge(KEY_04, so_far | next, select(so_far.empty(), next, so_far));
}

/// The key set that decides which kernel runs: the arguments' keys and the TLS sets; `backends` as in `without`.
template <Domain D>
constexpr KeySet<D> effective_keys(const Judge<D>& judge, const KeySet<D>& tensors, const KeySet<D>& included,
                                   const KeySet<D>& excluded, std::uint64_t backends = kBackendMask) {
  const KeySet<D> added = judge(KEY_05, tensors | included, select(tensors.empty(), included, tensors));
  return judge(KEY_06, without(added, excluded, backends), tensors | without(included, excluded, backends));
}

/// The functionality whose kernel runs next for the effective set `keys` and an op of kind `kind`: Autograd,
/// ADInplaceOrView, or Dense (the backend) where neither is left.
template <Domain D>
constexpr Choice<D, Functionality> next_kernel(const Judge<D>& judge, const KeySet<D>& keys, OpKind kind) {
  using F = Choice<D, Functionality>;
  const bool handled = kind != OpKind::Functional && kind != OpKind::Factory;
  const Bool<D> grad = keys.has_any(autograd_keys<D>());
  const Bool<D> view = keys.has_any(Functionality::ADInplaceOrView) &&
                       judge(KEY_08, Bool<D>(handled), Bool<D>(handled || kind == OpKind::Functional));
  const F below = select(view, F(Functionality::ADInplaceOrView), F(Functionality::Dense));
  return judge(KEY_01, select(grad, F(Functionality::Autograd), below),
               select(view, below, select(grad, F(Functionality::Autograd), below)));
}

/// The keys with which a kernel at `from` redispatches.
template <Domain D>
constexpr KeySet<D> keys_below(const Judge<D>& judge, const KeySet<D>& keys, Functionality from) {
  const KeySet<D> below_grad = without(keys, autograd_keys<D>());
  const KeySet<D> below_view = without(keys, KeySet<D>(Functionality::ADInplaceOrView));
  if (from == Functionality::Autograd)
    return judge(KEY_07, below_grad, without(below_grad, KeySet<D>(Functionality::ADInplaceOrView)));
  return below_view;
}

}  // namespace plumbline
