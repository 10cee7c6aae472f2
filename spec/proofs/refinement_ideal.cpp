// Obligations about the RFC's ideal end state, where a tensor that does not require grad carries no Autograd key: apart
// from key sets, each statement does there what it does in `sound`.
#include <algorithm>
#include <array>

#include "spec/proofs/heap_premises.h"

namespace plumbline::proofs {

std::vector<Obligation> ideal_obligations();

namespace {

using S = Symbolic;

/// Whether everything kept for a tensor is the same. The kept keys are the same, but the tensor carries fewer of them.
Bool<S> same_object(const Object<S>& a, const Object<S>& b) {
  const Bool<S> meta = a.meta.keys == b.meta.keys && a.meta.counted == b.meta.counted &&
                       a.meta.tracked == b.meta.tracked && a.meta.creation == b.meta.creation &&
                       a.meta.requires_grad == b.meta.requires_grad && a.meta.has_grad_fn == b.meta.has_grad_fn;
  const Bool<S> places = a.storage == b.storage && implied(a.meta.counted, a.counter == b.counter) &&
                         implied(a.meta.tracked, a.base == b.base && a.recorded_at == b.recorded_at);
  const Bool<S> saved = a.saved == b.saved && implied(a.saved, a.saved_version == b.saved_version);
  return a.live == b.live && implied(a.live, meta && places && saved && a.layout == b.layout);
}

Bool<S> same_memory(const Heap<S>& a, const Heap<S>& b, const Object<S>& of) {
  const Memory<S> one = a.storages.at(of.storage);
  const Memory<S> other = b.storages.at(of.storage);
  return one.allocated == other.allocated && one.data == other.data &&
         implied(of.meta.counted, a.counters.at(of.counter).version == b.counters.at(of.counter).version);
}

Bool<S> same_state(const Tls<S>& a, const Tls<S>& b) {
  return a.included == b.included && a.excluded == b.excluded && a.inference_mode == b.inference_mode &&
         a.grad_mode == b.grad_mode;
}

/// Compares `sound` with `ideal`, whatever the profile. `premise`: no inference tensor requires grad.
Question one_statement(const Judge<S>& asked, const Move<S>& move, bool premise) {
  Judge<S> sound = asked;
  sound.profile = Profile::sound;
  Judge<S> ideal = asked;
  ideal.profile = Profile::ideal;
  const Operands<S> of = any_operands();
  const TensorId<S> t = any_tensor("t");
  const Heap<S> before = any_heap("");
  Machine<S> here(sound, before);
  Machine<S> there(ideal, before);
  move.run(here, of);
  move.run(there, of);
  const Object<S> object = here.heap.tensors.at(t);
  const Bool<S> after = same_object(object, there.heap.tensors.at(t)) &&
                        implied(object.live, same_memory(here.heap, there.heap, object)) &&
                        same_state(here.heap.tls, there.heap.tls);
  Question question = claim(here.error == there.error && implied(here.ok(), after));
  const std::vector<TensorId<S>> named = operands_and({t}, of, move);
  assume_operands(question, before, of, move);
  assume_frames(question, before);
  const std::vector<TensorId<S>> all = with_families(before, named);
  assume_instances(question, sound, before, all);
  for (const TensorId<S>& tensor : all) {
    const Object<S> o = before.tensors.at(tensor);
    if (premise) question.given(implied(o.live && kind_of(o), !o.meta.requires_grad));
  }
  question.show("inference mode", before.tls.inference_mode).show("grad mode", before.tls.grad_mode);
  question.show("raises in sound", !here.ok()).show("raises in ideal", !there.ok());
  return question;
}

constexpr std::string_view kIdealClaim =
    "In the RFC's ideal end state a statement raises, makes, writes and records the same as in sound.";
/// The moves that need the premise.
constexpr std::array<std::string_view, 7> kOfInferenceGrad{"add", "mul", "div", "clone", "add_", "mul_", "out"};

}  // namespace

std::vector<Obligation> ideal_obligations() {
  std::vector<Obligation> all;
  for (const Move<S>& move : moves<S>()) {
    if (move.unsafe) continue;
    all.push_back({"refinement.ideal-as-sound." + std::string(move.name), std::string(kIdealClaim),
                   [move](const Judge<S>& judge) { return one_statement(judge, move, true); }});
    if (move.name != "detach_") continue;
    all.back().expected = Verdict::refuted;
    all.back().because =
        "AUT-34: the Autograd kernel of detach_ refuses a view, and there a view that does not require grad does not "
        "reach it";
  }
  for (const Move<S>& move : moves<S>()) {
    if (std::ranges::find(kOfInferenceGrad, move.name) == kOfInferenceGrad.end()) continue;
    all.push_back({"refinement.ideal-premise." + std::string(move.name), std::string(kIdealClaim),
                   [move](const Judge<S>& judge) { return one_statement(judge, move, false); }, Verdict::refuted});
    all.back().because =
        "KEY-10: an inference tensor that requires grad, beside normal ones that do not, reaches no Autograd kernel "
        "there";
  }
  return all;
}

}  // namespace plumbline::proofs
