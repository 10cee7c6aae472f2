// A thread's state as free variables, and the clause that safe guards keep.
#pragma once

#include "spec/proofs/key_words.h"
#include "spec/rules/tls.h"

namespace plumbline::proofs {

using State = Tls<S>;

inline State any_state(const std::string& name) {
  State state;
  state.included = any_keys(name + ".included");
  state.excluded = any_keys(name + ".excluded");
  state.inference_mode = any_truth(name + ".inference_mode");
  state.grad_mode = any_truth(name + ".grad_mode");
  return state;
}
inline Question shown(Question question, const std::string& name, const State& state) {
  return question.show(name + ".included", state.included)
      .show(name + ".excluded", state.excluded)
      .show(name + ".inference_mode", state.inference_mode)
      .show(name + ".grad_mode", state.grad_mode);
}

/// The clause on one state: inside inference mode ADInplaceOrView is not included and every Autograd key is excluded;
/// outside, ADInplaceOrView is included and no Autograd key is excluded; nowhere is ADInplaceOrView excluded. Grad mode
/// is free.
inline Truth in_order(const State& state) {
  const Truth inside = !has(state.included, kView) && within(keys(kAutograd), state.excluded);
  const Truth outside = has(state.included, kView) && !has(state.excluded, kAutograd);
  return select(state.inference_mode, inside, outside) && !has(state.excluded, kView);
}

/// The two pairs of key sets that safe guards can make from the default state.
inline Truth is_default_or_inference(const Judge<S>& judge, const State& state) {
  const State first = default_tls(judge);
  const Truth mode = state.inference_mode;
  return state.included == select(mode, first.included - keys(kView), first.included) &&
         state.excluded == select(mode, first.excluded | keys(kAutograd), first.excluded);
}

}  // namespace plumbline::proofs
