// Obligations about what each guard changes and what it does not, and about the state of a new thread.
#include "spec/proofs/guard_words.h"

namespace plumbline::proofs {

std::vector<Obligation> guard_effect_obligations();

namespace {

/// Claims that a state has these key sets and modes.
Question becomes(const State& inner, const State& right) { return shown(claim(inner == right), "inside", inner); }

Question inference_mode_sets(const Judge<S>& judge) {
  const State outer = any_state("outer");
  const Truth on = any_truth("enabled");
  const State inner = enter_inference_mode(judge, outer, on);
  const Truth all = for_each_bit(kAllBits, [&](std::uint64_t bit) {
    const Truth included = has(outer.included, bit);
    const Truth excluded = has(outer.excluded, bit);
    return iff(has(inner.included, bit), (bit & kView) != 0 ? !on : included) &&
           iff(has(inner.excluded, bit), (bit & kAutograd) != 0 ? on : excluded);
  });
  return shown(claim(all), "outer", outer).show("enabled", on);
}

Question inference_mode_modes(const Judge<S>& judge) {
  const State outer = any_state("outer");
  const Truth on = any_truth("enabled");
  const State inner = enter_inference_mode(judge, outer, on);
  return shown(claim(inner.inference_mode == on && inner.grad_mode == !on), "outer", outer).show("enabled", on);
}

std::vector<Obligation> mode_obligations() {
  return {
      {"guard.effect.inference-mode-sets",
       "InferenceMode(true) removes ADInplaceOrView from the included set and excludes the Autograd keys; "
       "InferenceMode(false) does the opposite. Neither changes another key.",
       inference_mode_sets},
      {"guard.effect.inference-mode-modes",
       "Inside InferenceMode(enabled) the mode is `enabled` and grad mode its opposite, whatever they were outside.",
       inference_mode_modes},
      {"guard.effect.grad-mode", "set_grad_enabled changes only grad mode.",
       [](const Judge<S>& judge) {
         State right = any_state("outer");
         right.grad_mode = any_truth("enabled");
         return becomes(enter_grad_mode(judge, any_state("outer"), any_truth("enabled")), right);
       }},
      {"guard.calls-in-inference-mode",
       "If a thread in inference mode satisfies that clause, no call has an Autograd key, whatever its tensors.",
       [](const Judge<S>& judge) {
         const State state = any_state("now");
         const Keys effective = effective_keys(judge, any_keys("tensors"), state.included, state.excluded);
         return shown(claim(!has(effective, kAutograd)), "now", state)
             .given(in_order(state))
             .given(state.inference_mode)
             .show("effective", effective);
       }},
      {"guard.calls-outside",
       "If a thread outside inference mode satisfies that clause, a call has each Autograd key of its tensors, and "
       "ADInplaceOrView.",
       [](const Judge<S>& judge) {
         const State state = any_state("now");
         const Keys tensors = any_keys("tensors");
         const Keys effective = effective_keys(judge, tensors, state.included, state.excluded);
         const Truth both = within(tensors & keys(kAutograd), effective) && has(effective, kView);
         return shown(claim(both), "now", state)
             .given(in_order(state))
             .given(!state.inference_mode)
             .show("effective", effective);
       }}};
}

/// The state inside a guard that excludes these keys.
Question excludes(const State& inner, std::uint64_t barred) {
  State right = any_state("outer");
  right.excluded = right.excluded | keys(barred);
  return becomes(inner, right);
}

std::vector<Obligation> key_guard_obligations() {
  return {{"guard.effect.below-autograd", "AutoDispatchBelowAutograd excludes exactly the three Autograd keys.",
           [](const Judge<S>& judge) { return excludes(enter_below_autograd(judge, any_state("outer")), kAutograd); }},
          {"guard.effect.below-adinplaceorview",
           "AutoDispatchBelowADInplaceOrView excludes exactly the three Autograd keys and ADInplaceOrView.",
           [](const Judge<S>& judge) {
             return excludes(enter_below_ad_inplace_or_view(judge, any_state("outer")), kAutograd | kView);
           }},
          {"guard.effect.auto-non-variable-type-mode",
           "AutoNonVariableTypeMode does what AutoDispatchBelowADInplaceOrView does.",
           [](const Judge<S>& judge) {
             return excludes(enter_auto_non_variable_type_mode(judge, any_state("outer")), kAutograd | kView);
           },
           Verdict::proved,
           {{Profile::torch_2_13, "TLS-13: it excludes only the Autograd keys"},
            {Profile::torch_1_13, "TLS-13: it excludes only the Autograd keys"}}},
          {"guard.effect.exclude", "An exclude guard adds its key to the excluded set and changes nothing else.",
           [](const Judge<S>& judge) {
             State right = any_state("outer");
             right.excluded = right.excluded | any_keys("key");
             return becomes(enter_exclude(judge, any_state("outer"), any_keys("key")), right);
           }},
          {"guard.effect.include", "An include guard adds its key to the included set and changes nothing else.",
           [](const Judge<S>& judge) {
             State right = any_state("outer");
             right.included = right.included | any_keys("key");
             return becomes(enter_include(judge, any_state("outer"), any_keys("key")), right);
           }}};
}

std::vector<Obligation> thread_obligations() {
  return {{"guard.thread-reads-nothing-of-its-starter",
           "A new thread's state does not depend on the thread that starts it.",
           [](const Judge<S>& judge) {
             const State a = thread_begins(judge, any_state("first"));
             const State b = thread_begins(judge, any_state("second"));
             return shown(claim(a == b && a == default_tls(judge)), "begins", a);
           }},
          {"guard.thread-begins-outside", "A new thread is outside inference mode, with grad mode on.",
           [](const Judge<S>& judge) {
             const State begins = thread_begins(judge, any_state("starter"));
             return shown(claim(!begins.inference_mode && begins.grad_mode), "begins", begins);
           }},
          {"guard.thread-keeps-its-state", "What one thread enters or leaves does not change the state of another one.",
           [](const Judge<S>& judge) {
             const State own = any_state("own");
             const State other = enter_inference_mode(judge, any_state("other"), any_truth("enabled"));
             return becomes(thread_goes_on(judge, own, other), own);
           }},
          {"guard.no-autocast-by-default",
           "In a new thread no call has an Autocast key, whatever its tensors.",
           [](const Judge<S>& judge) {
             const State first = default_tls(judge);
             const Keys effective = effective_keys(judge, any_keys("tensors"), first.included, first.excluded);
             return claim(!effective.has_any(autocast_keys<S>())).show("effective", effective);
           },
           Verdict::proved,
           {{Profile::torch_1_13, "TLS-09: it excludes three Autocast keys; the others are not in its layout"}}},
          {"guard.two-states.default", "A new thread has the default key sets.",
           [](const Judge<S>& judge) { return claim(is_default_or_inference(judge, default_tls(judge))); }},
          {"guard.two-states.inference-mode",
           "From the default key sets or those of inference mode, InferenceMode leads to one of these two. "
           "set_grad_enabled changes neither, so safe guards reach no third state.",
           [](const Judge<S>& judge) {
             const State outer = any_state("outer");
             const State inner = enter_inference_mode(judge, outer, any_truth("enabled"));
             return shown(claim(is_default_or_inference(judge, inner)), "inside", inner)
                 .given(is_default_or_inference(judge, outer));
           }}};
}

}  // namespace

std::vector<Obligation> guard_effect_obligations() {
  std::vector<Obligation> all;
  for (const auto& part : {mode_obligations(), key_guard_obligations(), thread_obligations()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace plumbline::proofs
