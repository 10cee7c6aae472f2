// The clauses of the simulation relation, and where a step's question assumes them.
#include "spec/proofs/functional_relation.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace plumbline::proofs {

namespace {

using B = TermBool;
using N = TermNum;

B same_map(const Simulation& sim, Term t, const N& v) {
  const B both_have = sim.in(t, v) == sim.aliasing.in(t, v);
  return both_have && implies(sim.in(t, v), sim.forward(t, v) == sim.aliasing.forward(t, v));
}

/// The number of a storage that a clause is about.
N number(Term s) { return N::of({s}); }
B is_used(const Simulation& sim, const N& s) { return N(0) <= s && s < sim.next; }

void add(std::vector<N>& all, const N& one) {
  if (std::ranges::none_of(all, [&](const N& other) { return other.v.t == one.v.t; })) all.push_back(one);
}

}  // namespace

const std::vector<SimulationClause>& simulation_clauses() {
  using Sim = const Simulation&;
  static const std::vector<SimulationClause> all{
      {"storage", "A tensor's functional storage stands for the memory that it shows.", About::tensor_and_index,
       [](Sim sim, Term t, const N&) {
         return implies(sim.live(t),
                        sim.storage(t) == sim.aliasing.storage(t) && is_used(sim, sim.aliasing.storage(t)));
       }},
      {"chain", "A tensor's chain of views shows the places that the tensor shows.", About::tensor_and_index,
       [](Sim sim, Term t, const N& v) { return implies(sim.live(t), same_map(sim, t, v)); }},
      {"shown", "Each index of a tensor shows a place of its memory.", About::tensor_and_index,
       [](Sim sim, Term t, const N& v) {
         const N place = sim.aliasing.forward(t, v);
         return implies(sim.live(t) && sim.aliasing.in(t, v),
                        sim.aliasing.hit(t, place) && sim.aliasing.forward(t, sim.aliasing.back(t, place)) == place);
       }},
      {"shows", "A place that a tensor shows is the place of one of its indices, and within its memory.",
       About::tensor_and_place,
       [](Sim sim, Term t, const N& p) {
         const N index = sim.aliasing.back(t, p);
         return implies(sim.live(t) && sim.aliasing.hit(t, p), sim.aliasing.in(t, index) &&
                                                                   sim.aliasing.forward(t, index) == p &&
                                                                   sim.within(sim.aliasing.storage(t), p));
       }},
      {"whole", "A tensor without a view in its chain has the elements of the base.", About::tensor_and_place,
       [](Sim sim, Term t, const N& p) {
         return implies(sim.live(t) && sim.whole(t),
                        sim.in(t, p) == sim.within(sim.storage(t), p) && sim.forward(t, p) == p);
       }},
      {"due", "A base is the memory once all writes that wait are applied to it.", About::storage_and_place,
       [](Sim sim, Term s, const N& p) {
         return implies(is_used(sim, number(s)) && sim.within(number(s), p),
                        sim.due(number(s), p) == sim.memory(number(s), p));
       }},
      {"nothing-waits", "If no write waits, nothing is due.", About::storage_and_place,
       [](Sim sim, Term s, const N& p) {
         return implies(is_used(sim, number(s)) && sim.within(number(s), p) && !sim.waits(number(s)),
                        sim.base(number(s), p) == sim.due(number(s), p));
       }},
      {"generation", "No tensor is newer than its storage.", About::tensor_and_index,
       [](Sim sim, Term t, const N&) {
         return implies(sim.live(t),
                        N(0) <= sim.tensor_generation(t) && sim.tensor_generation(t) <= sim.generation(sim.storage(t)));
       }},
      {"value", "The value of a tensor that has its storage's generation is what the memory shows.",
       About::tensor_and_index,
       [](Sim sim, Term t, const N& v) {
         const B current = sim.tensor_generation(t) == sim.generation(sim.storage(t));
         return implies(sim.live(t) && current && sim.aliasing.in(t, v),
                        sim.value(t, v) == sim.memory(sim.aliasing.storage(t), sim.aliasing.forward(t, v)));
       }},
      {"unwritten", "The memory of an input is as the caller has it while its storage's generation is 0.",
       About::storage_and_place,
       [](Sim sim, Term s, const N& p) {
         const N of = number(s);
         return implies(is_used(sim, of) && sim.input(of),
                        N(0) <= sim.generation(of) && implies(sim.within(of, p) && sim.generation(of) == N(0),
                                                              sim.memory(of, p) == sim.caller(of, p)));
       }},
      {"new", "The next storage is no input's.", About::storage_and_place,
       [](Sim sim, Term s, const N&) {
         return N(0) <= sim.next && implies(sim.next <= number(s), !sim.input(number(s)));
       }},
  };
  return all;
}

SimulatedStep::SimulatedStep(const Judge<Symbolic>& judge, std::vector<Term> operands)
    : tensors(std::move(operands)), before(any_simulation("")), world(judge, before) {
  tensors.push_back(t);
}

Contents SimulatedStep::writable(Term x, const std::string& name) {
  const auto at = [name](N index) { return N::of({apply(name, Sort::Integer, {index.v.t})}); };
  const Aliasing& map = before.aliasing;
  for (const N& index : instances().indices)
    premises.push_back(implies(map.in(x, index), at(map.back(x, map.forward(x, index))) == at(index)));
  return {at};
}

void SimulatedStep::write_memory(Term x, const Contents& written) {
  const N storage = before.aliasing.storage(x);
  state().memory = [old = state().memory, map = before.aliasing, x, storage, written](N of, N place) {
    return select(of == storage && map.hit(x, place), written.at(map.back(x, place)), old(of, place));
  };
}

void SimulatedStep::make_alias(Term made, Term source, const ViewLink& link) {
  const Aliasing old = before.aliasing;
  const auto forward = [old, source, link](N v) { return old.forward(source, link.forward(v)); };
  // The places that a map reaches, and one index for each of them, exist for every map.
  const auto hit = [](N at) { return B::of({apply("hit-made", Sort::Truth, {at.v.t})}); };
  const auto back = [](N at) { return N::of({apply("back-made", Sort::Integer, {at.v.t})}); };
  links.push_back(link);
  backs.emplace_back(back);
  for (const N& v1 : instances().indices) {
    premises.push_back(implies(link.in(v1), old.in(source, link.forward(v1))));
    premises.push_back(implies(link.in(v1), hit(forward(v1)) && forward(back(forward(v1))) == forward(v1)));
  }
  for (const N& place : instances().places)
    premises.push_back(implies(hit(place), link.in(back(place)) && forward(back(place)) == place));
  const auto is_made = [made](Term x) { return B::of({same(x, made)}); };
  Aliasing& now = state().aliasing;
  now.storage = [=](Term x) { return select(is_made(x), old.storage(source), old.storage(x)); };
  now.in = [=](Term x, N v1) { return select(is_made(x), link.in(v1), old.in(x, v1)); };
  now.forward = [=](Term x, N v1) { return select(is_made(x), forward(v1), old.forward(x, v1)); };
  now.hit = [=](Term x, N at) { return select(is_made(x), hit(at), old.hit(x, at)); };
  now.back = [=](Term x, N at) { return select(is_made(x), back(at), old.back(x, at)); };
}

/// The indices, places and storages of the claim, those that maps make of them, and those that maps make of these.
auto SimulatedStep::instances() const -> Instances {
  Instances all{{v, p}, {p}, {s}};
  const Aliasing& map = before.aliasing;
  for (const Term x : tensors) add(all.storages, map.storage(x));
  for (int round = 0; round < 2; ++round) {
    const std::vector<N> places = all.places;
    for (const N& place : places) {
      for (const Term x : tensors) add(all.indices, map.back(x, place));
      for (const auto& back : backs) add(all.indices, back(place));
    }
    const std::vector<N> indices = all.indices;
    for (const N& index : indices)
      for (const ViewLink& link : links) add(all.indices, link.forward(index));
    if (round > 0) break;
    for (const N& index : std::vector<N>(all.indices))
      for (const Term x : tensors) add(all.places, map.forward(x, index));
  }
  return all;
}

Question SimulatedStep::question(const B& holds) const {
  Question asked = claim(holds);
  std::set<Term> known;
  const auto assume = [&](const B& fact) {
    if (fact.v.t != truth(true) && known.insert(fact.v.t).second) asked.premises.push_back(fact.v.t);
  };
  for (const B& premise : premises) assume(premise);
  const Instances at = instances();
  for (const SimulationClause& clause : simulation_clauses()) {
    if (clause.about == About::storage_and_place) {
      for (const N& storage : at.storages)
        for (const N& place : at.places) assume(clause.holds(before, storage.v.t, place));
      assume(clause.holds(before, before.next.v.t, p));
      continue;
    }
    for (const Term x : tensors)
      for (const N& one : clause.about == About::tensor_and_index ? at.indices : at.places)
        assume(clause.holds(before, x, one));
  }
  return asked;
}

Question SimulatedStep::question(const SimulationClause& clause) const {
  switch (clause.about) {
    case About::tensor_and_index:
      return question(clause.holds(world.state(), t, v));
    case About::tensor_and_place:
      return question(clause.holds(world.state(), t, p));
    case About::storage_and_place:
      return question(clause.holds(world.state(), s.v.t, p));
  }
  throw std::logic_error("a clause about nothing");
}

}  // namespace plumbline::proofs
