// The heap of the proofs: a program's tensors, storages and version counters, as maps. In a search the maps hold plain
// values, in the prover they are functions over all names.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "spec/proofs/symbolic.h"
#include "spec/rules/tls.h"
#include "spec/vocabulary/concrete.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline::proofs {

/// The name of a tensor, a storage or a counter. Names can only be compared.
template <Domain D, Sort S>
struct Id;
template <Sort S>
struct Id<Concrete, S> {
  int v = -1;
  friend constexpr Bool<Concrete> operator==(Id a, Id b) { return a.v == b.v; }
};
template <Sort S>
struct Id<Symbolic, S> {
  Term v;
  friend Bool<Symbolic> operator==(Id a, Id b) { return Bool<Symbolic>::of({same(a.v, b.v)}); }
};
template <Sort S>
constexpr Id<Concrete, S> select(const Bool<Concrete>& condition, Id<Concrete, S> yes, Id<Concrete, S> no) {
  return condition.v ? yes : no;
}
template <Sort S>
Id<Symbolic, S> select(const Bool<Symbolic>& condition, Id<Symbolic, S> yes, Id<Symbolic, S> no) {
  return {choose(condition.v.t, yes.v, no.v)};
}

template <Domain D>
using TensorId = Id<D, Sort::Tensor>;
template <Domain D>
using StorageId = Id<D, Sort::Storage>;
template <Domain D>
using CounterId = Id<D, Sort::Counter>;

template <Domain D>
Meta<D> select(const Bool<D>& c, const Meta<D>& yes, const std::type_identity_t<Meta<D>>& no) {
  return {select(c, yes.keys, no.keys),
          select(c, yes.counted, no.counted),
          select(c, yes.tracked, no.tracked),
          select(c, yes.creation, no.creation),
          select(c, yes.requires_grad, no.requires_grad),
          select(c, yes.has_grad_fn, no.has_grad_fn)};
}

/// A tensor object. Ghost fields exist only in the proofs and record what should be true.
template <Domain D>
struct Object {
  Bool<D> live;
  Meta<D> meta;
  StorageId<D> storage;
  CounterId<D> counter;  ///< if `meta.counted`
  TensorId<D> base;      ///< if `meta.tracked`
  Num<D> recorded_at;    ///< the version at which its history was recorded
  Num<D> layout;         ///< ghost: how often its sizes or strides were changed
  Bool<D> saved;         ///< some graph saved it at `saved_version`
  Num<D> saved_version;
  Bool<D> saved_grad_fn;  ///< it had a history then
  Num<D> saved_data;      ///< ghost: how often its storage had been written by then
  TensorId<D> family;     ///< ghost: the tensor that it is a differentiable view of, or itself
  Num<D> rewritten;       ///< ghost, for the first of a family: how many recorded writes its memory has had
  Num<D> seen;            ///< ghost: how many of those its own history has
  Bool<D> unrecorded;     ///< ghost: it, or a view that it is made from, was made while grad mode was off
  Bool<D> one_of_many;    ///< ghost: it, or a view that it is made from, was one of several results
};
template <Domain D>
Object<D> select(const Bool<D>& c, const Object<D>& yes, const std::type_identity_t<Object<D>>& no) {
  return {select(c, yes.live, no.live),
          select(c, yes.meta, no.meta),
          select(c, yes.storage, no.storage),
          select(c, yes.counter, no.counter),
          select(c, yes.base, no.base),
          select(c, yes.recorded_at, no.recorded_at),
          select(c, yes.layout, no.layout),
          select(c, yes.saved, no.saved),
          select(c, yes.saved_version, no.saved_version),
          select(c, yes.saved_grad_fn, no.saved_grad_fn),
          select(c, yes.saved_data, no.saved_data),
          select(c, yes.family, no.family),
          select(c, yes.rewritten, no.rewritten),
          select(c, yes.seen, no.seen),
          select(c, yes.unrecorded, no.unrecorded),
          select(c, yes.one_of_many, no.one_of_many)};
}

/// A storage. `data` is a ghost: how often it was written. The values do not matter.
template <Domain D>
struct Memory {
  Bool<D> allocated;
  Num<D> data;
};
template <Domain D>
Memory<D> select(const Bool<D>& c, const Memory<D>& yes, const std::type_identity_t<Memory<D>>& no) {
  return {select(c, yes.allocated, no.allocated), select(c, yes.data, no.data)};
}

template <Domain D>
struct VersionCounter {
  Bool<D> used;
  Num<D> version;
};
template <Domain D>
VersionCounter<D> select(const Bool<D>& c, const VersionCounter<D>& yes,
                         const std::type_identity_t<VersionCounter<D>>& no) {
  return {select(c, yes.used, no.used), select(c, yes.version, no.version)};
}

/// An open guard.
template <Domain D>
struct Frame {
  Tls<D> found;
  Bool<D> whole;  ///< it is InferenceMode, which restores whole key sets
};
template <Domain D>
Frame<D> select(const Bool<D>& c, const Frame<D>& yes, const std::type_identity_t<Frame<D>>& no) {
  return {select(c, yes.found, no.found), select(c, yes.whole, no.whole)};
}

/// A total map from names, or depths, to records.
template <Domain D, class Key, class Record>
class Map;

/// A map for few names, counted from 0. A name that was never set has a default record.
template <class Key, class Record>
class Map<Concrete, Key, Record> {
 public:
  Record at(const Key& key) const {
    const auto i = index(key);
    return i < records_.size() ? records_[i] : Record{};
  }
  void set(const Key& key, const Record& record) {
    const auto i = index(key);
    if (i >= records_.size()) records_.resize(i + 1);
    records_[i] = record;
  }
  std::size_t size() const { return records_.size(); }
  /// Forgets the names from `size` on.
  void shrink(std::size_t size) { records_.resize(std::min(size, records_.size())); }

 private:
  static std::size_t index(const Key& key) { return static_cast<std::size_t>(key.v); }
  std::vector<Record> records_;
};

/// A function of any name. Reading it after an update gives a term without quantifiers.
template <class Key, class Record>
class Map<Symbolic, Key, Record> {
 public:
  using Read = std::function<Record(const Key&)>;

  explicit Map(Read read) : read_(std::move(read)) {}
  Record at(const Key& key) const { return read_(key); }
  void set(const Key& key, const Record& record) {
    read_ = [before = std::move(read_), key, record](const Key& asked) {
      const Bool<Symbolic> here = asked == key;
      if (here.v.t == truth(true)) return record;
      return select(here, record, before(asked));
    };
  }

 private:
  Read read_;
};

/// Everything that a program can change and an invariant mentions.
template <Domain D>
struct Heap {
  Map<D, TensorId<D>, Object<D>> tensors;
  Map<D, StorageId<D>, Memory<D>> storages;
  Map<D, CounterId<D>, VersionCounter<D>> counters;
  Map<D, Num<D>, Frame<D>> frames;  ///< outermost at 0
  Num<D> depth;                     ///< how many guards are open
  Tls<D> tls;
};

/// An arbitrary heap: each part is a function or a variable whose name begins with `prefix`.
Heap<Symbolic> any_heap(const std::string& prefix);
/// The state at the start of a program.
Heap<Concrete> first_heap(const Judge<Concrete>& judge);

}  // namespace plumbline::proofs
