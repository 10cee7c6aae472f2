// Properties of every single step from a heap that keeps the invariant.
#pragma once

#include <string_view>
#include <vector>

#include "spec/proofs/moves.h"

namespace plumbline::proofs {

/// A step: the heap before it, the machine after it, its operands and choices, and an arbitrary tensor.
template <Domain D>
struct Seen {
  const Heap<D>& before;
  const Machine<D>& after;
  const Operands<D>& of;
  TensorId<D> t;

  Object<D> was() const { return before.tensors.at(t); }
  Object<D> is() const { return after.heap.tensors.at(t); }
  Object<D> x() const { return before.tensors.at(of.x); }
  /// Whether the elements of a tensor were written.
  Bool<D> wrote(const Object<D>& o) const {
    return !(after.heap.storages.at(o.storage).data == before.storages.at(o.storage).data);
  }
  Num<D> moved(const Object<D>& o) const {
    return after.heap.counters.at(o.counter).version - before.counters.at(o.counter).version;
  }
};

/// `moves`: the names of the moves that it is claimed for, with a space around each; empty: all.
template <Domain D>
struct Property {
  std::string_view name;
  std::string_view sentence;
  std::string_view moves;
  Bool<D> (*holds)(const Seen<D>& s);
};

template <Domain D>
bool concerns(const Property<D>& property, const Move<D>& move) {
  return property.moves.empty() || property.moves.find(" " + std::string(move.name) + " ") != std::string_view::npos;
}

template <Domain D>
std::vector<Property<D>> properties() {
  using P = const Seen<D>&;
  return {
      {"immutability",
       "Outside inference mode the elements, sizes and strides of an inference tensor never change, even if the "
       "statement raises an error.",
       "",
       [](P s) {
         const Bool<D> laid = !(s.is().layout == s.was().layout);
         return implied(s.was().live && kind_of(s.was()) && (s.wrote(s.was()) || laid), s.before.tls.inference_mode);
       }},
      {"error-changes-nothing",
       "A statement that raises an error leaves elements, sizes, strides and versions as they were.", "",
       [](P s) {
         const Bool<D> same = !s.wrote(s.was()) && s.is().layout == s.was().layout && s.is().live == s.was().live &&
                              implied(s.was().meta.counted, s.moved(s.was()) == Num<D>(0));
         return implied(s.was().live && !s.after.ok(), same);
       }},
      {"kinds-stay",
       "No statement turns an inference tensor into a normal tensor, or a normal tensor into an inference tensor.", "",
       [](P s) { return implied(s.was().live, kind_of(s.was()) == kind_of(s.is())); }},
      {"kind-by-mode", "A tensor that is not a view is an inference tensor exactly when it was made in inference mode.",
       " factory add mul div clone ",
       [](P s) {
         const Object<D> made = s.after.heap.tensors.at(s.of.fresh.tensor);
         return implied(made.live, kind_of(made) == s.before.tls.inference_mode);
       }},
      {"fresh-memory",
       "A new tensor that is not a view has its own storage and its own version counter, with version 0.",
       " factory add mul div clone ",
       [](P s) {
         const Object<D> made = s.after.heap.tensors.at(s.of.fresh.tensor);
         const Bool<D> own = !(s.was().storage == made.storage) &&
                             implied(s.was().meta.counted && made.meta.counted, !(s.was().counter == made.counter));
         return implied(made.live && s.was().live,
                        own && implied(made.meta.counted, s.after.heap.counters.at(made.counter).version == Num<D>(0)));
       }},
      {"factory-requires-grad",
       "A factory's tensor requires grad exactly when requires_grad=True was given, in inference mode too.",
       " factory ", [](P s) { return s.after.heap.tensors.at(s.of.fresh.tensor).meta.requires_grad == s.of.asked; }},
      {"writes-count",
       "A write that raises no error bumps the version of a normal tensor by one, in inference mode too.",
       " add_ mul_ transpose_ resize_ set_ ",
       [](P s) {
         const Bool<D> stays = s.after.heap.tensors.at(s.of.x).layout == s.x().layout && !s.wrote(s.x());
         return implied(s.after.ok() && !kind_of(s.x()) && !stays, s.moved(s.x()) == Num<D>(1));
       }},
      {"only-writes-count", "An op that writes nothing bumps no version and changes no element.",
       " factory add mul div clone view split view-dtype detach ",
       [](P s) {
         return implied(s.was().live,
                        !s.wrote(s.was()) && implied(s.was().meta.counted, s.moved(s.was()) == Num<D>(0)));
       }},
      {"nothing-recorded-inside", "In inference mode no call is recorded for backward.", "",
       [](P s) { return implied(s.before.tls.inference_mode, !s.after.recorded); }},
      {"recorded-as-asked",
       "A call is recorded for backward exactly when grad mode is on, the thread is outside inference mode, an "
       "argument requires grad and no argument raises an error; the result then has a history.",
       " add mul div ",
       [](P s) {
         const Machine<D>& m = s.after;
         const Bool<D> needs = m.requires_grad(s.of.x) || m.requires_grad(s.of.y);
         const Bool<D> normal = !kind_of(s.x()) || !kind_of(s.before.tensors.at(s.of.y));
         const Bool<D> asked = s.before.tls.grad_mode && !s.before.tls.inference_mode && needs && normal;
         const Object<D> made = m.heap.tensors.at(s.of.fresh.tensor);
         return implied(m.ok(), m.recorded == asked && made.meta.has_grad_fn == asked);
       }},
      {"clone-recorded-as-asked",
       "A clone is recorded for backward exactly when grad mode is on, the thread is outside inference mode and its "
       "source requires grad, even if that is an inference tensor.",
       " clone ",
       [](P s) {
         const Bool<D> asked = s.before.tls.grad_mode && !s.before.tls.inference_mode && s.after.requires_grad(s.of.x);
         return implied(s.after.ok(), s.after.recorded == asked);
       }},
      {"recorded-histories-are-current", "A recorded call uses histories of its arguments that have every write.",
       " add mul div clone view split add_ mul_ transpose_ set_ ",
       [](P s) {
         const Bool<D> based = s.x().meta.tracked && s.before.tensors.at(s.x().base).meta.has_grad_fn;
         return implied(s.after.recorded && s.after.ok() && based,
                        s.after.heap.tensors.at(s.of.x).seen == s.after.heap.tensors.at(s.x().family).rewritten);
       }},
      {"asked-histories-are-current",
       "If a view's history is asked for, it has every recorded write, or an error is raised.", " grad_fn ",
       [](P s) {
         const Bool<D> based = s.x().meta.tracked && s.before.tensors.at(s.x().base).meta.has_grad_fn;
         return implied(s.after.ok() && based,
                        s.after.heap.tensors.at(s.of.x).seen == s.after.heap.tensors.at(s.x().family).rewritten);
       }},
      {"writes-need-a-history",
       "A recorded write through a view raises an error if the view was made while grad mode was off or is one of "
       "several results.",
       " add_ mul_ transpose_ ",
       [](P s) {
         return implied(s.after.recorded && s.wrote(s.x()) && (s.x().unrecorded || s.x().one_of_many), !s.after.ok());
       }},
      {"leaves-keep-their-values", "No recorded write changes a leaf that requires grad, directly or through a view.",
       " add_ mul_ transpose_ ",
       [](P s) {
         const Bool<D> leaf = s.was().meta.requires_grad && !s.was().meta.has_grad_fn && !kind_of(s.was());
         const Bool<D> written = (s.t == s.of.x || (s.x().meta.tracked && s.x().base == s.t)) && s.wrote(s.was());
         return implied(s.was().live && leaf && written, !s.after.recorded);
       }},
      {"raises-only-for-a-reason",
       "An op raises an error only if it is recorded and would save an inference tensor, or if it asks for a history "
       "that its view cannot have.",
       " add mul div clone view split view-dtype detach ",
       [](P s) {
         const Object<D> y = s.before.tensors.at(s.of.y);
         const Bool<D> inference = kind_of(s.x()) || kind_of(y);
         const Bool<D> marked = (s.x().meta.tracked && !(s.x().meta.creation == Choice<D, CreationMeta>())) ||
                                (y.meta.tracked && !(y.meta.creation == Choice<D, CreationMeta>()));
         const Bool<D> recordable = s.before.tls.grad_mode && !s.before.tls.inference_mode;
         return implied(!s.after.ok(), recordable && (inference || marked));
       }},
      {"writes-raise-only-for-a-reason",
       "If the kernel raises no error, a write raises one only outside inference mode on an inference tensor, or if it "
       "is recorded.",
       " add_ mul_ transpose_ ",
       [](P s) {
         const Bool<D> y = !kind_of(s.before.tensors.at(s.of.y));
         const Bool<D> recordable = s.before.tls.grad_mode && (!kind_of(s.x()) || y);
         return implied(!s.after.ok() && !s.of.raises, !s.before.tls.inference_mode && (kind_of(s.x()) || recordable));
       }},
      {"views-of-inference-never-raise",
       "A view of an inference tensor never raises an error, inside or outside inference mode.",
       " view split view-dtype detach ", [](P s) { return implied(kind_of(s.x()), s.after.ok()); }},
      {"requires-grad-may-be-set",
       "requires_grad of an inference tensor may be set inside inference mode, and to False anywhere; outside "
       "inference mode it cannot be set to True.",
       " requires_grad ",
       [](P s) { return implied(kind_of(s.x()), s.after.ok() == (s.before.tls.inference_mode || !s.of.asked)); }},
      {"backward-sees-what-was-saved", "A backward that raises no error finds the elements that were saved.",
       " backward ",
       [](P s) {
         return implied(s.x().saved && s.after.ok(), s.before.storages.at(s.x().storage).data == s.x().saved_data);
       }},
      {"backward-finds-the-history",
       "If a tensor had a history when it was saved, a backward that raises no error finds one.", " backward ",
       [](P s) {
         return implied(s.x().saved && s.x().saved_grad_fn && s.after.ok(),
                        s.after.heap.tensors.at(s.of.x).meta.has_grad_fn);
       }},
      {"backward-raises-only-for-a-reason",
       "A backward raises an error only if the tensor's version was bumped after it was saved, or if it lost its "
       "history, or if it is a view whose history cannot be regenerated.",
       " backward ",
       [](P s) {
         const Num<D> now = s.before.counters.at(s.x().counter).version;
         const Bool<D> lost = s.x().saved_grad_fn && !s.x().meta.has_grad_fn;
         const Bool<D> marked = s.x().meta.tracked && !(s.x().meta.creation == Choice<D, CreationMeta>());
         return implied(!s.after.ok(), s.x().saved && (!(now == s.x().saved_version) || lost || marked));
       }},
      {"backward-names-a-lost-history",
       "A backward that finds no history of a saved tensor that had one says so, even if the tensor was written too.",
       " backward ",
       [](P s) {
         const Bool<D> lost = s.x().saved_grad_fn && !s.after.heap.tensors.at(s.of.x).meta.has_grad_fn;
         return implied(s.x().saved && lost, !(s.after.error == Error<D>(ErrorClass::saved_modified)));
       }},
      {"guards-restore",
       "After a guard the thread's state is the one that the guard found, even if the body raised an error.", " leave ",
       [](P s) { return s.after.heap.tls == s.before.frames.at(s.before.depth - Num<D>(1)).found; }},
  };
}

}  // namespace plumbline::proofs
