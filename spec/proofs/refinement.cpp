// Obligations about two runs: a program that raises no error under InferenceMode does the same under no_grad.
// InferenceMode(b) in one run is set_grad_enabled(not b) in the other.
#include <array>

#include "spec/proofs/heap_premises.h"

namespace plumbline::proofs {

std::vector<Obligation> ideal_obligations();  // refinement_ideal.cpp

namespace {

using S = Symbolic;
using T = TensorId<S>;

/// The thread states of the two runs: outside inference mode the same; inside it the other has grad mode off.
Bool<S> alike(const Tls<S>& with, const Tls<S>& without) {
  return !without.inference_mode &&
         select(with.inference_mode, !without.grad_mode, with.grad_mode == without.grad_mode);
}

/// What an observer compares, and what the next statements need: the same tensors on the same memory with the same
/// elements, requires_grad and histories, and for normal tensors the same versions and bases. `_is_view` and `_base` of
/// a tensor that is an inference tensor in one run are not compared, as the RFC says.
Bool<S> alike(const Heap<S>& with, const Heap<S>& without, T t) {
  const Object<S> a = with.tensors.at(t);
  const Object<S> b = without.tensors.at(t);
  const Choice<S, CreationMeta> plain(CreationMeta::DEFAULT);
  const Bool<S> seen = a.storage == b.storage && a.layout == b.layout && a.saved == b.saved &&
                       with.storages.at(a.storage).data == without.storages.at(b.storage).data &&
                       with.storages.at(a.storage).allocated == without.storages.at(b.storage).allocated;
  const Bool<S> history = a.meta.requires_grad == b.meta.requires_grad && a.meta.has_grad_fn == b.meta.has_grad_fn;
  const Bool<S> inside = !a.meta.requires_grad && !a.meta.has_grad_fn && !kind_of(b);
  const Bool<S> bases = a.meta.tracked == b.meta.tracked && a.family == b.family &&
                        implied(a.meta.tracked, a.base == b.base && a.recorded_at == b.recorded_at &&
                                                    (a.meta.creation == plain) == (b.meta.creation == plain));
  const Bool<S> normal = bases && with.counters.at(a.counter).version == without.counters.at(b.counter).version &&
                         implied(a.saved, a.saved_version == b.saved_version && a.saved_data == b.saved_data &&
                                              a.saved_grad_fn == b.saved_grad_fn) &&
                         a.rewritten == b.rewritten && a.seen == b.seen && !kind_of(b);
  const Bool<S> never_inside = !was_made_inside(b.meta.creation);
  return a.live == b.live && implied(a.live, never_inside && seen && history && select(kind_of(a), inside, normal));
}

/// The base that a view has under no_grad, if it is an inference tensor in the other run: another such tensor, which
/// does not require grad.
Bool<S> bases_need_none(const Heap<S>& with, const Heap<S>& without, T t) {
  const Object<S> a = with.tensors.at(t);
  const Object<S> b = without.tensors.at(t);
  return implied(a.live && kind_of(a) && b.meta.tracked, kind_of(with.tensors.at(b.base)));
}

/// One statement in both runs.
struct Lockstep {
  Lockstep(const Judge<S>& judge, const Move<S>& move)
      : before_with(any_heap("with.")),
        before_without(any_heap("without.")),
        with(judge, before_with),
        without(judge, before_without) {
    move.run(with, of);
    if (move.name == "inference_mode")
      without.enter({GuardKind::set_grad_enabled, !of.asked});
    else
      move.run(without, of);
  }

  Operands<S> of = any_operands();
  Heap<S> before_with;
  Heap<S> before_without;
  Machine<S> with;
  Machine<S> without;
  T t = any_tensor("t");
};

/// The theorem's premises about programs.
struct Premises {
  bool no_requires_grad_inside = true;  ///< no factory has requires_grad=True in inference mode
  bool no_enable_grad_inside = true;    ///< grad mode is not turned on in inference mode
};

Question lockstep(const Judge<S>& judge, const Move<S>& move, const Premises& premises) {
  const Lockstep both(judge, move);
  const Bool<S> after = alike(both.with.heap, both.without.heap, both.t) &&
                        bases_need_none(both.with.heap, both.without.heap, both.t) &&
                        alike(both.with.heap.tls, both.without.heap.tls);
  Question question = claim(implied(both.with.ok(), both.without.ok() && after));
  const bool factory = move.name == "factory" && premises.no_requires_grad_inside;
  const bool guard = move.name == "set_grad_enabled" && premises.no_enable_grad_inside;
  if (factory || guard) question.given(implied(both.before_with.tls.inference_mode, !both.of.asked));
  const std::vector<T> named = operands_and({both.t}, both.of, move);
  for (const Heap<S>* heap : {&both.before_with, &both.before_without}) {
    assume_operands(question, *heap, both.of, move);
    assume_frames(question, *heap);
    assume_instances(question, judge, *heap, with_families(*heap, named));
  }
  std::vector<T> all = with_families(both.before_with, named);
  for (const T& t : with_families(both.before_without, named)) all.push_back(t);
  for (const T& t : all) {
    question.given(alike(both.before_with, both.before_without, t));
    question.given(bases_need_none(both.before_with, both.before_without, t));
  }
  const Num<S> top = both.before_with.depth - Num<S>(1);
  question.given(both.before_with.depth == both.before_without.depth);
  question.given(alike(both.before_with.tls, both.before_without.tls));
  question.given(implied(top >= Num<S>(0),
                         alike(both.before_with.frames.at(top).found, both.before_without.frames.at(top).found)));
  question.show("inference mode", both.before_with.tls.inference_mode).show("asked", both.of.asked);
  question.show("raises under no_grad", !both.without.ok());
  return question;
}

constexpr std::string_view kClaim =
    "A statement that raises no error under InferenceMode raises none under no_grad, and gives the same elements, "
    "geometry, requires_grad and histories.";

/// An excluded statement, or a premise, that the theorem needs, and why.
struct Parting {
  std::string_view name;
  std::string_view move;
  std::string_view because;
};
constexpr std::array kPartings{
    Parting{"requires_grad", "requires_grad", "requires_grad of an inference tensor has rules of its own"},
    Parting{"detach_", "detach_", "AUT-34 refuses detach_ of a view; a view of an inference tensor is not tracked"},
    Parting{"resize_", "resize_",
            "AUT-37 refuses resize_ of a tensor that requires grad; in inference mode no Autograd kernel checks that"},
    Parting{"requires-grad-inside", "factory",
            "INF-10: a view of an inference tensor that requires grad does not require grad; under no_grad it does "
            "(AUT-06)"},
    Parting{"enable-grad-inside", "set_grad_enabled", "TLS-08: grad mode alone records nothing in inference mode"},
};

/// Whether the theorem excludes a statement.
bool parts(const Move<S>& move) {
  return move.name == "requires_grad" || move.name == "detach_" || move.name == "resize_";
}

}  // namespace

std::vector<Obligation> refinement_obligations() {
  std::vector<Obligation> all;
  for (const Move<S>& move : moves<S>()) {
    if (move.unsafe || parts(move)) continue;
    all.push_back({"refinement.inference-mode-as-no-grad." + std::string(move.name), std::string(kClaim),
                   [move](const Judge<S>& judge) { return lockstep(judge, move, {}); }});
    Obligation& one = all.back();
    if (move.name == "view" || move.name == "split")
      one.except = {{Profile::draft_2, "VIEW-01: a view of a normal tensor made inside inference mode is not tracked"}};
    if (move.name == "view-dtype")
      one.except = {{Profile::torch_2_13, "INF-03: a view in another dtype takes its inference bit from the mode"},
                    {Profile::torch_1_13, "INF-03: a view in another dtype takes its inference bit from the mode"}};
  }
  for (const Parting& parting : kPartings)
    for (const Move<S>& move : moves<S>())
      if (move.name == parting.move) {
        Obligation one{"refinement.premise." + std::string(parting.name), std::string(kClaim),
                       [move](const Judge<S>& judge) { return lockstep(judge, move, {false, false}); }};
        one.expected = Verdict::refuted;
        one.because = parting.because;
        if (parting.name == "requires_grad")
          one.except = {{Profile::rfc_0011,
                         "INF-09: it raises an error on every inference tensor, so the two runs never differ"}};
        all.push_back(std::move(one));
      }
  for (Obligation& one : ideal_obligations()) all.push_back(std::move(one));
  return all;
}

}  // namespace plumbline::proofs
