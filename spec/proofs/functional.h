// Functional storages on terms, beside the memory that aliases share without functionalization: the world on which the
// proofs run spec/machine/functional.h.
//
// Elements, places of a memory and indices of a tensor are integers, and storages have numbers. Everything else is a
// function of which only the premises are known: any number of tensors and storages, any sizes, any views.
#pragma once

#include <functional>
#include <string>

#include "spec/machine/functional.h"
#include "spec/proofs/symbolic.h"

namespace plumbline::proofs {

using TermNum = Num<Symbolic>;
using TermBool = Bool<Symbolic>;

/// What a tensor or a base holds: an element for each index.
struct Contents {
  std::function<TermNum(TermNum)> at;
};
Contents select(const TermBool& condition, const Contents& yes, const Contents& no);

/// Maps from tensors or storages, and from tensors or storages with an index or a place.
template <class Key, class T>
using Of = std::function<T(Key)>;
template <class Key, class T>
using At = std::function<T(Key, TermNum)>;

/// A tensor's view of the memory of its storage: the index v has the place forward(v). `hit` are the places that it
/// shows, and back(p) is one index that shows p.
struct Aliasing {
  Of<Term, TermNum> storage;
  At<Term, TermBool> in;  ///< the tensor has this index
  At<Term, TermNum> forward;
  At<Term, TermBool> hit;
  At<Term, TermNum> back;
};

/// The state with functionalization, and without it ("aliasing"): the same tensors on two sides.
struct Simulation {
  // without functionalization: tensors show places of a memory
  Aliasing aliasing;
  At<TermNum, TermNum> memory;   ///< by storage and place
  At<TermNum, TermBool> within;  ///< the memory has this place
  // with functionalization
  Of<Term, TermBool> live;
  Of<Term, TermNum> storage;
  At<Term, TermBool> in;  ///< a tensor's chain, as one map from the base
  At<Term, TermNum> forward;
  Of<Term, TermNum> links;
  Of<Term, TermBool> whole;
  Of<Term, TermBool> one_to_one;
  At<Term, TermNum> value;
  Of<Term, TermNum> tensor_generation;
  Of<TermNum, TermNum> generation;
  At<TermNum, TermNum> base;
  At<TermNum, TermNum> due;  ///< ghost: the base after all that waits; by definition add_update makes one write of it
  Of<TermNum, TermBool> waits;  ///< some update waits
  Of<TermNum, TermBool> input;  ///< the storage is an input's
  At<TermNum, TermNum> caller;  ///< an input's memory as the caller sees it, which no step of the body changes
  TermNum next;                 ///< the number of the next storage
};

/// Any state; its functions have names that begin with `prefix`.
Simulation any_simulation(const std::string& prefix);
Term any_tensor_term(const std::string& name);

/// A view of a source: its index v is the source's index forward(v).
struct ViewLink {
  std::function<TermBool(TermNum)> in;
  std::function<TermNum(TermNum)> forward;
  TermBool one_to_one;
};
ViewLink any_link(const std::string& name);

/// The functional side of a simulation as a machine::FunctionalWorld. What the machine does to a whole chain or to all
/// waiting updates is taken from the obligations about one link and about one update, which hold for any number.
class FunctionalTerms {
 public:
  using Domain = Symbolic;
  using Tensor = Term;
  using Contents = proofs::Contents;
  struct Update {
    Contents after;  ///< the base once it is applied
  };

  FunctionalTerms(const Judge<Symbolic>& judge, Simulation state) : state_(std::move(state)), judge_(judge) {}

  const Simulation& state() const { return state_; }
  Simulation& state() { return state_; }
  const Judge<Symbolic>& judge() const { return judge_; }
  template <class Then>
  void when(const TermBool& condition, const Then& then, Here here = Here::current()) {
    if (machine::is_dropped(here)) return;
    const TermBool before = path_;
    path_ = before && machine::path_condition(condition, here);
    then();
    path_ = before;
  }

  TermNum storage_of(Term t) const { return state_.storage(t); }
  TermNum new_storage() const { return state_.next; }
  TermNum generation_of(Term t) const { return state_.tensor_generation(t); }
  void set_generation_of(Term t, const TermNum& generation, Here here = Here::current()) {
    if (!machine::is_dropped(here)) put(state_.tensor_generation, t, generation);
  }
  Contents value_of(Term t) const;
  void set_value_of(Term t, const Contents& value, Here here = Here::current()) {
    if (!machine::is_dropped(here)) put_at(state_.value, t, value.at);
  }
  TermNum chain_length(Term t) const { return state_.links(t); }
  TermBool is_whole(Term t) const { return state_.whole(t); }
  TermBool has_elements(Term t) const;
  TermBool one_to_one(Term t) const { return state_.one_to_one(t); }
  Contents through_chain(Term t) const;
  Contents base(const TermNum& storage) const;
  /// If updates wait, what is due is then unknown.
  void set_base(const TermNum& storage, const Contents& value, Here here = Here::current());
  TermNum generation(const TermNum& storage) const { return state_.generation(storage); }
  void set_generation(const TermNum& storage, const TermNum& now, Here here = Here::current()) {
    if (!machine::is_dropped(here)) put(state_.generation, storage, now);
  }

  /// One more write is due. If it goes through the inverse of each link, it is a write of the places that the tensor
  /// shows if no link repeats an element (functional.write-back), and unknown otherwise.
  void add_update(Term t, const TermBool& places, Here here = Here::current());
  /// The base is what was due (functional.apply), and nothing waits.
  template <class Apply>
  void each_waiting(const TermNum& storage, const Apply& /*functional.apply is about it*/) {
    sync_base(storage);
  }
  static Contents applied(const TermNum& /*storage*/, const Update& update) { return update.after; }

  template <class Keeps>
  Contents longer_base(const TermNum& storage, const TermNum& /*any*/, const Keeps& keeps) const {
    return grown(storage, keeps(TermBool(true)));
  }
  void bind_owner(Term made, const ViewLink& link, const Contents& value);
  void bind_view(Term made, Term source, const ViewLink& link, const Contents& value);
  void lengthen_chain(Term t, const ViewLink& link);
  void copy_back(const TermNum& storage, Here here = Here::current());

 private:
  static TermBool same_key(Term a, Term b) { return TermBool::of({same(a, b)}); }
  static TermBool same_key(const TermNum& a, const TermNum& b) { return TermBool::of({same(a.v.t, b.v.t)}); }

  template <class Key, class T>
  void put(Of<Key, T>& map, Key at, const T& value) const {
    map = [map, at, value, path = path_](Key key) { return select(path && same_key(key, at), value, map(key)); };
  }
  template <class Key, class T>
  void put_at(At<Key, T>& map, Key at, std::function<T(TermNum)> values) const {
    map = [map, at, values = std::move(values), path = path_](Key key, TermNum index) {
      return select(path && same_key(key, at), values(index), map(key, index));
    };
  }
  void sync_base(const TermNum& storage);
  Contents grown(const TermNum& storage, const TermBool& kept) const;

  Simulation state_;
  const Judge<Symbolic>& judge_;
  TermBool path_ = true;
};
static_assert(machine::FunctionalWorld<FunctionalTerms>);

/// The elements that `resize_` adds, which nothing specifies: the same on both sides.
TermNum unspecified_element(const TermNum& place);

}  // namespace plumbline::proofs
