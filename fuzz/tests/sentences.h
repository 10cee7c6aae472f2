// Rule sentences as predicates over the states before and after a statement, written only from the sentence: they ask
// no rule. `sentences_test` searches generated programs for a state in which a sentence and its rule differ.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "fuzz/tests/steps.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/rule.h"

namespace plumbline::fuzz {

/// What a step says about a sentence.
enum class Said { nothing, holds, broken };
constexpr Said said(bool premise, bool claim) { return !premise ? Said::nothing : claim ? Said::holds : Said::broken; }

struct Sentence {
  const Rule* rule;
  Said (*look)(const Step&);
  bool unsafe = false;  ///< looked for in programs with unsafe statements
};

std::span<const Sentence> sentences_of_modes();     ///< TLS, KEY, INF
std::span<const Sentence> sentences_of_views();     ///< VER, VIEW, GEO
std::span<const Sentence> sentences_of_autograd();  ///< AUT

/// What the predicates look at.

using reference::Tensor;
using reference::TensorId;

inline bool raised(const Step& s) { return s.outcome.failure.error != ErrorClass::none; }
inline const Tensor& tensor(const State& state, TensorId id) { return state.tensors[static_cast<std::size_t>(id)]; }
/// The tensor that a local variable holds, if it holds one.
inline const Tensor* in_slot(const State& state, Slot slot) {
  const auto at = static_cast<std::size_t>(slot);
  if (at >= state.slots.size() || state.slots[at] == reference::kNoTensor) return nullptr;
  return &tensor(state, state.slots[at]);
}
template <class Kind>
const Kind* as(const Step& s) {
  return std::get_if<Kind>(&s.statement.kind);
}
/// The call of a step, if its op has kernels of its own.
inline const Call* called(const Step& s) {
  const Call* call = as<Call>(s);
  return call == nullptr || op(call->op).composite ? nullptr : call;
}
inline const Call* called(const Step& s, OpKind kind) {
  const Call* call = called(s);
  return call == nullptr || op(call->op).kind != kind ? nullptr : call;
}
/// The tensor in argument `place` of a call, before the call.
inline const Tensor* argument(const Step& s, const Call& call, std::size_t place = 0) {
  const Slot* slot = place < call.arguments.size() ? std::get_if<Slot>(&call.arguments[place]) : nullptr;
  return slot == nullptr ? nullptr : in_slot(s.before, *slot);
}
/// The tensor that a call writes, before it.
inline const Tensor* written(const Step& s, const Call& call) {
  const int place = written_argument(op(call.op));
  return place < 0 ? nullptr : argument(s, call, static_cast<std::size_t>(place));
}
/// Its first result, after it.
inline const Tensor* result(const Step& s, const Call& call) {
  return raised(s) || call.results.empty() ? nullptr : in_slot(s.after, call.results.front());
}
inline bool is_new(const Step& s, const Tensor& made) {
  return static_cast<std::size_t>(&made - s.after.tensors.data()) >= s.before.tensors.size();
}
/// A resize_ to the current sizes of the tensor.
inline bool resizes_to_its_own(const Step& s, const Call& call) {
  return call.op == OpId::resize_ &&
         reference::sizes_of(argument(s, call)->geometry) == std::get<reference::Sizes>(call.arguments[1]);
}
inline bool inside(const Step& s) { return s.before.tls.inference_mode.v; }
inline bool grad_mode(const Step& s) { return s.before.tls.grad_mode.v; }
inline bool tracked(const Tensor& one) { return one.base != reference::kNoTensor; }
/// By its own flag, its history or its base's.
inline bool requires_grad(const State& state, const Tensor& one) {
  return one.meta.requires_grad.v || one.node != reference::kNoNode ||
         (tracked(one) && requires_grad(state, tensor(state, one.base)));
}
inline std::int64_t version(const State& state, const Tensor& one) {
  return state.counters[static_cast<std::size_t>(one.counter)].version;
}
inline ErrorClass error(const Step& s) { return s.outcome.failure.error; }
/// What a snapshot shows of a tensor.
inline const Reading& shown(const TensorReading& one, Field field) {
  return one.fields[static_cast<std::size_t>(field)];
}
inline bool is_true(const TensorReading& one, Field field) {
  const bool* truth = std::get_if<bool>(&shown(one, field));
  return truth != nullptr && *truth;
}
/// What a snapshot says about each tensor for which `premise` holds.
template <class Premise, class Claim>
Said of_each_shown(const Step& s, Premise premise, Claim claim) {
  Said found = Said::nothing;
  for (const TensorReading& one : s.outcome.tensors) {
    if (!premise(one)) continue;
    if (!claim(one)) return Said::broken;
    found = Said::holds;
  }
  return found;
}
/// Whether `is` holds for any tensor argument of a call, or for any tensor of a list.
template <class Is>
bool any_argument(const Step& s, const Call& call, Is is) {
  const auto held_and = [&](Slot slot) {
    const Tensor* one = in_slot(s.before, slot);
    return one != nullptr && is(*one);
  };
  return std::ranges::any_of(call.arguments, [&](const Value& value) {
    if (const Slot* slot = std::get_if<Slot>(&value)) return held_and(*slot);
    const auto* slots = std::get_if<std::vector<Slot>>(&value);
    return slots != nullptr && std::ranges::any_of(*slots, held_and);
  });
}

}  // namespace plumbline::fuzz
