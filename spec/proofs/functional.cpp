// Functional storages on terms.
#include "spec/proofs/functional.h"

namespace plumbline::proofs {

namespace {

using B = TermBool;
using N = TermNum;

Term term_of(Term t) { return t; }
Term term_of(const N& n) { return n.v.t; }

template <class Key>
Of<Key, N> any_number_of(const std::string& name) {
  return [name](Key key) { return N::of({apply(name, Sort::Integer, {term_of(key)})}); };
}
template <class Key>
Of<Key, B> any_truth_of(const std::string& name) {
  return [name](Key key) { return B::of({apply(name, Sort::Truth, {term_of(key)})}); };
}
template <class Key>
At<Key, N> any_number_at(const std::string& name) {
  return [name](Key key, N at) { return N::of({apply(name, Sort::Integer, {term_of(key), at.v.t})}); };
}
template <class Key>
At<Key, B> any_truth_at(const std::string& name) {
  return [name](Key key, N at) { return B::of({apply(name, Sort::Truth, {term_of(key), at.v.t})}); };
}

}  // namespace

Contents select(const B& condition, const Contents& yes, const Contents& no) {
  return {[=](N index) { return select(condition, yes.at(index), no.at(index)); }};
}

/// The relation says that both sides have the same storages and maps, so here they are the same functions.
Simulation any_simulation(const std::string& prefix) {
  Simulation s;
  s.aliasing = {any_number_of<Term>(prefix + "storage"), any_truth_at<Term>(prefix + "in"),
                any_number_at<Term>(prefix + "forward"), any_truth_at<Term>(prefix + "hit"),
                any_number_at<Term>(prefix + "back")};
  s.memory = any_number_at<N>(prefix + "memory");
  s.within = any_truth_at<N>(prefix + "within");
  s.live = any_truth_of<Term>(prefix + "live");
  s.storage = s.aliasing.storage;
  s.in = s.aliasing.in;
  s.forward = s.aliasing.forward;
  s.links = any_number_of<Term>(prefix + "links");
  s.whole = any_truth_of<Term>(prefix + "whole");
  s.one_to_one = any_truth_of<Term>(prefix + "one-to-one");
  s.value = any_number_at<Term>(prefix + "value");
  s.tensor_generation = any_number_of<Term>(prefix + "tensor-generation");
  s.generation = any_number_of<N>(prefix + "generation");
  s.base = any_number_at<N>(prefix + "base");
  s.due = any_number_at<N>(prefix + "due");
  s.waits = any_truth_of<N>(prefix + "waits");
  s.input = any_truth_of<N>(prefix + "input");
  s.caller = any_number_at<N>(prefix + "caller");
  s.next = N::of({variable(prefix + "next", Sort::Integer)});
  return s;
}

Term any_tensor_term(const std::string& name) { return variable(name, Sort::Tensor); }

ViewLink any_link(const std::string& name) {
  return {[=](N v) { return B::of({apply("in-" + name, Sort::Truth, {v.v.t})}); },
          [=](N v) { return N::of({apply("forward-" + name, Sort::Integer, {v.v.t})}); },
          B::of({variable("one-to-one-" + name, Sort::Truth)})};
}

N unspecified_element(const N& place) { return N::of({apply("unspecified", Sort::Integer, {place.v.t})}); }

Contents FunctionalTerms::value_of(Term t) const {
  return {[value = state_.value, t](N v) { return value(t, v); }};
}
B FunctionalTerms::has_elements(Term t) const { return B::of({apply("has-elements", Sort::Truth, {t})}); }

Contents FunctionalTerms::through_chain(Term t) const {
  return {[base = state_.base, storage = state_.storage(t), forward = state_.forward, t](N v) {
    return base(storage, forward(t, v));
  }};
}
Contents FunctionalTerms::base(const N& storage) const {
  return {[base = state_.base, storage](N p) { return base(storage, p); }};
}

void FunctionalTerms::set_base(const N& storage, const Contents& value, Here here) {
  if (machine::is_dropped(here)) return;
  const B waits = state_.waits(storage);
  put_at<N, N>(state_.due, storage,
               [=](N p) { return select(waits, N::of({apply("unknown-due", Sort::Integer, {p.v.t})}), value.at(p)); });
  put_at<N, N>(state_.base, storage, value.at);
}

void FunctionalTerms::sync_base(const N& storage) {
  put_at<N, N>(state_.base, storage, [due = state_.due, storage](N p) { return due(storage, p); });
  put<N, B>(state_.waits, storage, false);
}

void FunctionalTerms::add_update(Term t, const B& places, Here here) {
  if (machine::is_dropped(here)) return;
  const N storage = state_.storage(t);
  const B known = places || state_.one_to_one(t);
  put_at<N, N>(state_.due, storage, [=, due = state_.due, map = state_.aliasing, value = state_.value](N p) {
    const N written = select(map.hit(t, p), value(t, map.back(t, p)), due(storage, p));
    return select(known, written, N::of({apply("unknown-write", Sort::Integer, {p.v.t})}));
  });
  put<N, B>(state_.waits, storage, true);
}

Contents FunctionalTerms::grown(const N& storage, const B& kept) const {
  return {[=, base = state_.base, within = state_.within](N p) {
    return select(within(storage, p), select(kept, base(storage, p), N(0)), unspecified_element(p));
  }};
}

void FunctionalTerms::bind_owner(Term made, const ViewLink& link, const Contents& value) {
  const N own = state_.next;
  put(state_.live, made, B(true));
  put(state_.storage, made, own);
  put_at<Term, B>(state_.in, made, link.in);
  put_at<Term, N>(state_.forward, made, [](N v) { return v; });
  put(state_.links, made, N(0));
  put(state_.whole, made, B(true));
  put(state_.one_to_one, made, B(true));
  put_at<Term, N>(state_.value, made, value.at);
  put(state_.tensor_generation, made, N(0));
  put(state_.generation, own, N(0));
  put(state_.waits, own, B(false));
  put_at<N, N>(state_.base, own, value.at);
  put_at<N, N>(state_.due, own, value.at);
  state_.next = select(path_, own + N(1), own);
}

void FunctionalTerms::bind_view(Term made, Term source, const ViewLink& link, const Contents& value) {
  const auto forward = [old = state_.forward, source, link](N v) { return old(source, link.forward(v)); };
  put(state_.live, made, B(true));
  put(state_.storage, made, state_.storage(source));
  put(state_.links, made, state_.links(source) + N(1));
  put(state_.whole, made, B(false));
  put(state_.one_to_one, made, state_.one_to_one(source) && link.one_to_one);
  put(state_.tensor_generation, made, state_.tensor_generation(source));
  put_at<Term, B>(state_.in, made, link.in);
  put_at<Term, N>(state_.forward, made, forward);
  put_at<Term, N>(state_.value, made, value.at);
}

void FunctionalTerms::lengthen_chain(Term t, const ViewLink& link) {
  put_at<Term, N>(state_.forward, t, [old = state_.forward, t, link](N v) { return old(t, link.forward(v)); });
  put_at<Term, B>(state_.in, t, link.in);
  put(state_.links, t, state_.links(t) + N(1));
  put(state_.whole, t, B(false));
  put(state_.one_to_one, t, state_.one_to_one(t) && link.one_to_one);
}

void FunctionalTerms::copy_back(const N& storage, Here here) {
  if (machine::is_dropped(here)) return;
  put_at<N, N>(state_.caller, storage, [base = state_.base, storage](N p) { return base(storage, p); });
}

}  // namespace plumbline::proofs
