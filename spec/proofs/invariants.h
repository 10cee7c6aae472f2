// The invariants of a heap, clause by clause: what every program without unsafe statements keeps.
#pragma once

#include <string_view>
#include <vector>

#include "spec/proofs/machine.h"

namespace plumbline::proofs {

/// One clause. It is about one or two tensors and holds for all; together the clauses are inductive.
template <Domain D>
struct Clause {
  std::string_view name;
  std::string_view sentence;
  Bool<D> (*holds)(const Judge<D>& judge, const Heap<D>& heap, TensorId<D> t, TensorId<D> u);
};

/// The state of a thread outside kernels, inside and outside inference mode.
template <Domain D>
Bool<D> tls_is_sound(const Tls<D>& tls) {
  const KeySet<D> view(Functionality::ADInplaceOrView);
  const Bool<D> inside = !tls.included.has_any(view) && (autograd_keys<D>() - tls.excluded).empty();
  const Bool<D> outside = tls.included.has_any(view) && !tls.excluded.has_any(autograd_keys<D>() | view);
  return select(tls.inference_mode, inside, outside) && !tls.included.has_any(autograd_keys<D>()) &&
         !tls.excluded.has_any(view);
}

/// Whether a live tensor is an inference tensor, by its keys.
template <Domain D>
Bool<D> kind_of(const Object<D>& t) {
  return !t.meta.keys.has_any(autograd_keys<D>() | Functionality::ADInplaceOrView);
}

template <Domain D>
Bool<D> implied(const Bool<D>& a, const Bool<D>& b) {
  return !a || b;
}

/// All clauses; the two about the thread come first.
template <Domain D>
std::vector<Clause<D>> clauses() {
  using H = const Heap<D>&;
  using J = const Judge<D>&;
  using T = TensorId<D>;
  return {
      {"tls",
       "In inference mode ADInplaceOrView is not included and Autograd is excluded; outside inference mode "
       "ADInplaceOrView is included, and neither is excluded.",
       [](J, H h, T, T) { return tls_is_sound(h.tls); }},
      {"both-keys-or-neither", "A tensor carries both Autograd and ADInplaceOrView, or neither.",
       [](J j, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         return implied(o.live,
                        o.meta.keys == tensor_keys(j, Bool<D>(true)) || o.meta.keys == tensor_keys(j, Bool<D>(false)));
       }},
      {"allocated", "A tensor's storage and its version counter are allocated.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         return implied(o.live,
                        h.storages.at(o.storage).allocated && implied(o.meta.counted, h.counters.at(o.counter).used));
       }},
      {"counted", "A tensor has a version counter exactly when it is a normal tensor.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         return implied(o.live, o.meta.counted == !kind_of(o));
       }},
      {"no-aliasing", "No inference tensor shares storage with a normal tensor.",
       [](J, H h, T t, T u) {
         const Object<D> a = h.tensors.at(t);
         const Object<D> b = h.tensors.at(u);
         return implied(a.live && b.live && a.storage == b.storage, kind_of(a) == kind_of(b));
       }},
      {"one-counter", "Normal tensors of one storage have one version counter.",
       [](J, H h, T t, T u) {
         const Object<D> a = h.tensors.at(t);
         const Object<D> b = h.tensors.at(u);
         return implied(a.live && b.live && a.storage == b.storage && !kind_of(a), a.counter == b.counter);
       }},
      {"one-storage", "Tensors with one version counter have one storage.",
       [](J, H h, T t, T u) {
         const Object<D> a = h.tensors.at(t);
         const Object<D> b = h.tensors.at(u);
         const Bool<D> counted = a.live && b.live && a.meta.counted && b.meta.counted;
         return implied(counted && a.counter == b.counter, a.storage == b.storage);
       }},
      {"saved-is-normal", "Every tensor saved for backward is a normal tensor.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         return implied(o.live && o.saved, !kind_of(o));
       }},
      {"version-tracks-data",
       "Since a tensor was saved, its version has been bumped at least as often as its storage was written.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         const Num<D> moved = h.counters.at(o.counter).version - o.saved_version;
         const Num<D> written = h.storages.at(o.storage).data - o.saved_data;
         return implied(o.live && o.saved, written >= Num<D>(0) && moved >= written);
       }},
      {"views-tracked",
       "A differentiable view of a normal tensor is tracked, with the first of its family as its base.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         const Object<D> first = h.tensors.at(o.family);
         const Bool<D> root = first.live && !first.meta.tracked && first.family == o.family;
         const Bool<D> view = o.meta.tracked && o.base == o.family && first.storage == o.storage && !kind_of(first);
         return implied(o.live, root && select(o.family == t, !o.meta.tracked, !kind_of(o) && view));
       }},
      {"not-stale",
       "If the first tensor of a family has a history, every tensor of the family has every recorded write in its own "
       "history, or its version shows that its history is stale.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         const Object<D> first = h.tensors.at(o.family);
         const Num<D> version = h.counters.at(o.counter).version;
         const Bool<D> known = o.meta.tracked && o.recorded_at < version;
         const Bool<D> current = o.seen == first.rewritten || known || !first.meta.has_grad_fn;
         return implied(o.live,
                        o.seen <= first.rewritten && implied(o.meta.tracked, o.recorded_at <= version) && current);
       }},
      {"inference-has-no-history", "An inference tensor has no grad_fn and is not a tracked view.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         return implied(o.live && kind_of(o), !o.meta.has_grad_fn && !o.meta.tracked);
       }},
      {"known-creation", "A tensor's creation metadata is one of the known values.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         Bool<D> known(false);
         for (std::size_t i = 0; i < kCreationMetaNames.size(); ++i)
           known = known || o.meta.creation == Choice<D, CreationMeta>(static_cast<CreationMeta>(i));
         return implied(o.live, known);
       }},
      {"unrecorded-is-marked",
       "A view made while grad mode was off, or one of several results, has creation metadata that says so.",
       [](J, H h, T t, T) {
         const Object<D> o = h.tensors.at(t);
         return implied(o.live && (o.unrecorded || o.one_of_many),
                        o.meta.tracked && !(o.meta.creation == Choice<D, CreationMeta>(CreationMeta::DEFAULT)));
       }},
  };
}

}  // namespace plumbline::proofs
