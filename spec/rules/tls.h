// TLS: the thread's included and excluded key sets and its modes, and the guards that change them.
#pragma once

#include "spec/rules/key.h"

namespace plumbline {

inline constexpr Rule TLS_01{Family::TLS, 1, "ADInplaceOrView is in the included set by default.",
                             "rfc-0011-final, 'InplaceOrView': 'part of the default TLS included set'",
                             "The included set is empty by default."};
inline constexpr Rule TLS_02{Family::TLS, 2, "Inference mode excludes the Autograd keys.",
                             "rfc-0011-final, 'The algorithm': 'Autograd is added to the TLS excluded set'",
                             "Inference mode only turns grad mode off."};
inline constexpr Rule TLS_03{Family::TLS, 3, "Inference mode removes ADInplaceOrView from the included set.",
                             "rfc-0011-final, 'The algorithm': 'InplaceOrView is removed from the TLS included set'",
                             "Inference mode leaves the included set as it is."};
inline constexpr Rule TLS_04{
    Family::TLS, 4,
    "InferenceMode(false) inside inference mode is normal mode: ADInplaceOrView is included and Autograd is not "
    "excluded.",
    "inference-mode-docs, 'Enabled/disabled InferenceMode states can be nested'; c10/core/InferenceMode.h",
    "InferenceMode(false) changes nothing."};
inline constexpr Rule TLS_05{
    Family::TLS, 5, "InferenceMode(enabled) sets grad mode to the opposite of `enabled`.",
    "c10/core/InferenceMode.h, InferenceMode::InferenceMode: AutogradState(!enabled, enabled, …)",
    "InferenceMode leaves grad mode as it is."};
inline constexpr Rule TLS_06{
    Family::TLS,
    6,
    "When a guard ends, it restores exactly the state that it found.",
    "inference-mode-docs, the nested example; c10/core/InferenceMode.h, InferenceMode::~InferenceMode",
    "When a guard ends, it restores the defaults.",
    {{{Profile::torch_1_13,
       "A guard for one key leaves the key's backend in the set when it ends; only a guard that restores whole sets "
       "removes it.",
       "c10/core/impl/LocalDispatchKeySet.cpp of v1.13.1, ExcludeDispatchKeyGuard::~ExcludeDispatchKeyGuard: a "
       "difference of key sets, which keeps backends; 2.13 saves the state",
       "a guard restores what it found"}}}};
inline constexpr Rule TLS_07{Family::TLS, 7,
                             "A guard also ends, and restores the state, when its body raises an error.",
                             "rfc-0011-final: 'an RAII guard which can be enabled for a given block of code'",
                             "After an error the guard's state stays in place."};
inline constexpr Rule TLS_08{
    Family::TLS, 8, "no_grad, enable_grad and set_grad_enabled change grad mode and neither of the key sets.",
    "c10/core/GradMode.h, AutoGradMode", "enable_grad also removes the Autograd keys from the excluded set."};
inline constexpr Rule TLS_09{Family::TLS,
                             9,
                             "The Autocast keys are in the excluded set by default.",
                             "c10/core/DispatchKeySet.h, default_excluded_set",
                             "The excluded set is empty by default.",
                             {{{Profile::torch_1_13, "Only AutocastCPU, AutocastXPU and AutocastCUDA are in it.",
                                "c10/core/DispatchKeySet.h of v1.13.1, default_excluded_set", ""}}}};
inline constexpr Rule TLS_10{Family::TLS, 10, "InferenceMode(true) inside InferenceMode(true) is still inference mode.",
                             "inference-mode-docs, 'can be nested'; c10/core/InferenceMode.h",
                             "A second InferenceMode(true) toggles the mode."};

inline constexpr Rule TLS_11{
    Family::TLS, 11, "AutoDispatchBelowAutograd excludes every Autograd key and does not exclude ADInplaceOrView.",
    "aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowAutograd; rfc-0011-final: 'it is legal for only "
    "Autograd to be excluded'",
    "It also excludes ADInplaceOrView."};
inline constexpr Rule TLS_12{Family::TLS, 12,
                             "AutoDispatchBelowADInplaceOrView excludes every Autograd key and ADInplaceOrView.",
                             "aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowADInplaceOrView; "
                             "inference-mode-docs, 'under Autograd dispatch keys'",
                             "It excludes only ADInplaceOrView."};
inline constexpr Rule TLS_13{
    Family::TLS,
    13,
    "AutoNonVariableTypeMode is the old name of AutoDispatchBelowADInplaceOrView: it excludes the same keys.",
    "inference-mode-docs: 'AutoDispatchBelowADInplaceOrView is just a new name of AutoNonVariableTypeMode'",
    "It excludes only the Autograd keys.",
    {{{Profile::torch_2_13, "The deprecated guard excludes only the Autograd keys.",
       "aten/src/ATen/core/LegacyTypeDispatch.h, AutoNonVariableTypeMode: autograd_guard(autograd_dispatch_keyset)",
       ""},
      {Profile::torch_1_13, "The deprecated guard excludes only the Autograd keys.",
       "aten/src/ATen/core/LegacyTypeDispatch.h of v1.13.1, AutoNonVariableTypeMode", ""}}}};
inline constexpr Rule TLS_14{
    Family::TLS, 14, "An exclude guard adds its key to the excluded set and does not change the included set.",
    "c10/core/impl/LocalDispatchKeySet.cpp, ExcludeDispatchKeyGuard", "It removes the key from the included set."};
inline constexpr Rule TLS_15{
    Family::TLS, 15, "An include guard adds its key to the included set and does not change the excluded set.",
    "c10/core/impl/LocalDispatchKeySet.cpp, IncludeDispatchKeyGuard", "It removes the key from the excluded set."};
inline constexpr Rule TLS_16{
    Family::TLS, 16, "The guards below Autograd and ADInplaceOrView change neither grad mode nor inference mode.",
    "inference-mode-docs: 'InferenceMode also affects tensor creation while AutoNonVariableTypeMode doesn't'",
    "They turn inference mode on."};
inline constexpr Rule TLS_17{
    Family::TLS, 17,
    "A new thread starts outside inference mode with grad mode on, whatever the state of the thread that starts it.",
    "c10/core/impl/LocalDispatchKeySet.h: thread_local; rfc-0011-final, 'Goals': inference mode is thread-local",
    "A new thread starts in the state of the thread that starts it."};

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
