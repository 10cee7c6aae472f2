// TLS: the thread's included and excluded key sets and its modes, and the guards that change them.
#pragma once

#include "spec/rules/key.h"

namespace plumbline {

inline constexpr Rule TLS_01{Family::TLS, 1};
inline constexpr Rule TLS_02{Family::TLS, 2};
inline constexpr Rule TLS_03{Family::TLS, 3};
inline constexpr Rule TLS_04{Family::TLS, 4};
inline constexpr Rule TLS_05{Family::TLS, 5};
inline constexpr Rule TLS_06{Family::TLS, 6};
inline constexpr Rule TLS_07{Family::TLS, 7};
inline constexpr Rule TLS_08{Family::TLS, 8};
inline constexpr Rule TLS_09{Family::TLS, 9};
inline constexpr Rule TLS_10{Family::TLS, 10};
inline constexpr Rule TLS_11{Family::TLS, 11};
inline constexpr Rule TLS_12{Family::TLS, 12};
inline constexpr Rule TLS_13{Family::TLS, 13};
inline constexpr Rule TLS_14{Family::TLS, 14};
inline constexpr Rule TLS_15{Family::TLS, 15};
inline constexpr Rule TLS_16{Family::TLS, 16};
inline constexpr Rule TLS_17{Family::TLS, 17};
inline constexpr Rule TLS_18{Family::TLS, 18};

/// One thread's dispatch state.
template <Domain D>
struct Tls {
  KeySet<D> included;
  KeySet<D> excluded;
  Bool<D> inference_mode;
  Bool<D> grad_mode = true;

  friend constexpr Bool<D> operator==(const Tls& a, const Tls& b) {
    return a.included == b.included && a.excluded == b.excluded && a.inference_mode == b.inference_mode &&
           a.grad_mode == b.grad_mode;
  }
};

/// All Autocast keys.
template <Domain D>
constexpr KeySet<D> autocast_keys() {
  using enum Functionality;
  return KeySet<D>(AutocastCPU) | AutocastMTIA | AutocastMAIA | AutocastXPU | AutocastIPU | AutocastHPU | AutocastXLA |
         AutocastMPS | AutocastCUDA | AutocastPrivateUse1;
}

/// The three Autocast keys that PyTorch 1.13 excludes.
template <Domain D>
constexpr KeySet<D> early_autocast_keys() {
  using enum Functionality;
  return KeySet<D>(AutocastCPU) | AutocastXPU | AutocastCUDA;
}

/// A new thread's state.
template <Domain D>
constexpr Tls<D> default_tls(const Judge<D>& judge) {
  Tls<D> tls;
  const KeySet<D> select_only(Functionality::BackendSelect);
  tls.included = judge(TLS_01, select_only | Functionality::ADInplaceOrView, select_only);
  tls.excluded = judge(TLS_09, autocast_keys<D>(), KeySet<D>(), In{Profile::torch_1_13, early_autocast_keys<D>()});
  return tls;
}

/// A new thread's state; `starter`: the state of the thread that starts it.
template <Domain D>
constexpr Tls<D> thread_begins(const Judge<D>& judge, const Tls<D>& starter) {
  return judge(TLS_17, default_tls(judge), starter);
}

/// The state of a thread that goes on; `own`: the one that it had, `other`: that of the thread that ran meanwhile.
template <Domain D>
constexpr Tls<D> thread_goes_on(const Judge<D>& judge, const Tls<D>& own, const Tls<D>& other) {
  return judge(TLS_18, own, other);
}

/// The state inside `InferenceMode(enabled)`.
template <Domain D>
constexpr Tls<D> enter_inference_mode(const Judge<D>& judge, const Tls<D>& outer, const Bool<D>& enabled) {
  const KeySet<D> view(Functionality::ADInplaceOrView);
  const Bool<D> on = judge(TLS_10, enabled, select(outer.inference_mode, !enabled, enabled));
  const Bool<D> acts = judge(TLS_04, Bool<D>(true), enabled);
  Tls<D> inner = outer;
  const KeySet<D> narrowed = judge(TLS_03, without(outer.included, view), outer.included);
  inner.included = select(acts, select(on, narrowed, outer.included | view), outer.included);
  const KeySet<D> barred = judge(TLS_02, outer.excluded | autograd_keys<D>(), outer.excluded);
  inner.excluded = select(acts, select(on, barred, without(outer.excluded, autograd_keys<D>())), outer.excluded);
  inner.inference_mode = select(acts, on, outer.inference_mode);
  inner.grad_mode = select(acts, judge(TLS_05, !on, outer.grad_mode), outer.grad_mode);
  return inner;
}

/// The state inside `set_grad_enabled(enabled)`; no_grad and enable_grad are its two cases.
template <Domain D>
constexpr Tls<D> enter_grad_mode(const Judge<D>& judge, const Tls<D>& outer, const Bool<D>& enabled) {
  Tls<D> inner = outer;
  inner.grad_mode = enabled;
  inner.excluded =
      judge(TLS_08, outer.excluded, select(enabled, without(outer.excluded, autograd_keys<D>()), outer.excluded));
  return inner;
}

/// The state inside a guard that excludes the keys `barred`.
template <Domain D>
constexpr Tls<D> enter_below(const Judge<D>& judge, const Tls<D>& outer, const KeySet<D>& barred) {
  Tls<D> inner = outer;
  inner.excluded = outer.excluded | barred;
  inner.inference_mode = judge(TLS_16, outer.inference_mode, Bool<D>(true));
  return inner;
}
template <Domain D>
constexpr Tls<D> enter_below_autograd(const Judge<D>& judge, const Tls<D>& outer) {
  const KeySet<D> grad = autograd_keys<D>();
  return enter_below(judge, outer, judge(TLS_11, grad, grad | Functionality::ADInplaceOrView));
}
template <Domain D>
constexpr Tls<D> enter_below_ad_inplace_or_view(const Judge<D>& judge, const Tls<D>& outer) {
  const KeySet<D> view(Functionality::ADInplaceOrView);
  return enter_below(judge, outer, judge(TLS_12, autograd_keys<D>() | view, view));
}
/// The state inside the deprecated AutoNonVariableTypeMode.
template <Domain D>
constexpr Tls<D> enter_auto_non_variable_type_mode(const Judge<D>& judge, const Tls<D>& outer) {
  const KeySet<D> grad = autograd_keys<D>();
  const KeySet<D> both = grad | Functionality::ADInplaceOrView;
  return enter_below(judge, outer,
                     judge(TLS_13, both, grad, In{Profile::torch_2_13, grad}, In{Profile::torch_1_13, grad}));
}

/// The state inside a guard that excludes, or includes, one key.
template <Domain D>
constexpr Tls<D> enter_exclude(const Judge<D>& judge, const Tls<D>& outer, const KeySet<D>& key) {
  Tls<D> inner = outer;
  inner.excluded = judge(TLS_14, outer.excluded | key, outer.excluded);
  inner.included = judge(TLS_14, outer.included, without(outer.included, key));
  return inner;
}
template <Domain D>
constexpr Tls<D> enter_include(const Judge<D>& judge, const Tls<D>& outer, const KeySet<D>& key) {
  Tls<D> inner = outer;
  inner.included = judge(TLS_15, outer.included | key, outer.included);
  inner.excluded = judge(TLS_15, outer.excluded, without(outer.excluded, key));
  return inner;
}

/// The state after a guard. `found`: the state that it found; `inside`: the state at its end; `whole`: it is
/// InferenceMode, which restores whole key sets.
template <Domain D>
constexpr Tls<D> leave_guard(const Judge<D>& judge, const Tls<D>& found, const Tls<D>& inside, const Bool<D>& raised,
                             bool whole = true) {
  Tls<D> left = found;
  if (!whole) {
    left.included = found.included | backends_of(inside.included);
    left.excluded = found.excluded | backends_of(inside.excluded);
  }
  const Tls<D> restored = judge(TLS_06, found, default_tls(judge), In{Profile::torch_1_13, left});
  return select(raised, judge(TLS_07, restored, inside), restored);
}

template <Domain D>
constexpr Tls<D> select(const Bool<D>& condition, const Tls<D>& yes, const std::type_identity_t<Tls<D>>& no) {
  return {select(condition, yes.included, no.included), select(condition, yes.excluded, no.excluded),
          select(condition, yes.inference_mode, no.inference_mode), select(condition, yes.grad_mode, no.grad_mode)};
}

}  // namespace plumbline
