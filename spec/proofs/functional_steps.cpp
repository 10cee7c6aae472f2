// The steps of a functionalized body: each keeps the simulation relation, and a read sees what the memory shows.
#include <stdexcept>

#include "spec/proofs/functional_relation.h"

namespace plumbline::proofs {

namespace {

using B = TermBool;
using N = TermNum;
using J = Judge<Symbolic>;

// Terms belong to the thread that makes them.
Term tensor_x() { return any_tensor_term("x"); }
Term tensor_y() { return any_tensor_term("y"); }
Term tensor_made() { return any_tensor_term("made"); }

B is_live(const SimulatedStep& step, Term x) { return step.before.live(x); }

ViewLink whole_link(const std::function<B(N)>& in) {
  return {in, [](N v) { return v; }, true};
}

/// An op makes a tensor with memory of its own.
SimulatedStep make_tensor(const J& judge) {
  SimulatedStep step(judge, {tensor_made()});
  step.premises.push_back(!is_live(step, tensor_made()));
  const auto in = [](N v) { return B::of({apply("made-in", Sort::Truth, {v.v.t})}); };
  const auto computed = [](N v) { return N::of({apply("computed", Sort::Integer, {v.v.t})}); };
  const N own = step.before.next;
  step.world.bind_owner(tensor_made(), whole_link(in), {computed});
  Simulation& now = step.state();
  const Aliasing old = step.before.aliasing;
  const auto is_made = [](Term x) { return B::of({same(x, tensor_made())}); };
  now.aliasing.storage = [=](Term x) { return select(is_made(x), own, old.storage(x)); };
  now.aliasing.in = [=](Term x, N v) { return select(is_made(x), in(v), old.in(x, v)); };
  now.aliasing.forward = [=](Term x, N v) { return select(is_made(x), v, old.forward(x, v)); };
  now.aliasing.hit = [=](Term x, N p) { return select(is_made(x), in(p), old.hit(x, p)); };
  now.aliasing.back = [=](Term x, N p) { return select(is_made(x), p, old.back(x, p)); };
  now.memory = [=, memory = step.before.memory](N s, N p) { return select(s == own, computed(p), memory(s, p)); };
  now.within = [=, within = step.before.within](N s, N p) { return select(s == own, in(p), within(s, p)); };
  return step;
}

SimulatedStep read_tensor(const J& judge) {
  SimulatedStep step(judge, {tensor_x()});
  step.premises.push_back(is_live(step, tensor_x()));
  (void)machine::read(step.world, tensor_x());
  return step;
}

/// Nothing but the body's ops changes memory, so a sync may come anywhere.
SimulatedStep sync_storage(const J& judge) {
  SimulatedStep step(judge, {});
  machine::sync(step.world, any_number("synced"));
  return step;
}

SimulatedStep write_tensor(const J& judge) {
  SimulatedStep step(judge, {tensor_x()});
  step.premises.push_back(is_live(step, tensor_x()));
  for (const N& v : {step.v, step.before.aliasing.back(tensor_x(), step.p)})  // without elements it has no index
    step.premises.push_back(step.world.has_elements(tensor_x()) || !step.before.aliasing.in(tensor_x(), v));
  const Contents written = step.writable(tensor_x(), "written");
  step.world.set_value_of(tensor_x(), written);
  machine::after_functional_write(step.world, tensor_x());
  step.write_memory(tensor_x(), written);
  return step;
}

/// The last view of a chain without repeated elements: a release is right here too.
SimulatedStep write_one_to_one(const J& judge) {
  SimulatedStep step = write_tensor(judge);
  step.premises.push_back(step.before.one_to_one(tensor_x()));
  return step;
}

Contents view_of(const Contents& source, const ViewLink& link) {
  return {[=](N v) { return source.at(link.forward(v)); }};
}

SimulatedStep view_tensor(const J& judge) {
  SimulatedStep step(judge, {tensor_x(), tensor_made()});
  step.premises.push_back(is_live(step, tensor_x()) && !is_live(step, tensor_made()));
  const ViewLink link = any_link("link");
  const Contents value = machine::read(step.world, tensor_x());
  const ViewStep<Symbolic> view{any_truth("composite"), any_truth("alias or detach")};
  machine::make_view(step.world, tensor_x(), tensor_made(), link, view_of(value, link), view);
  step.make_alias(tensor_made(), tensor_x(), link);
  return step;
}

SimulatedStep change_tensor_layout(const J& judge) {
  SimulatedStep step(judge, {tensor_x()});
  step.premises.push_back(is_live(step, tensor_x()));
  const ViewLink link = any_link("link");
  const Contents value = machine::read(step.world, tensor_x());
  machine::change_layout(step.world, tensor_x(), link, view_of(value, link));
  step.make_alias(tensor_x(), tensor_x(), link);
  return step;
}

SimulatedStep set_tensor(const J& judge) {
  SimulatedStep step(judge, {tensor_x(), tensor_y()});
  step.premises.push_back(is_live(step, tensor_x()) && is_live(step, tensor_y()));
  const ViewLink link = whole_link([in = step.before.aliasing.in](N v) { return in(tensor_y(), v); });
  const Contents value = machine::read(step.world, tensor_y());
  machine::take_functional_storage(step.world, tensor_x(), tensor_y(), link, view_of(value, link));
  step.make_alias(tensor_x(), tensor_y(), link);
  return step;
}

/// `resize_` beyond the memory; the chains begin at the memory by then, so no tensor is the base.
SimulatedStep grow_storage(const J& judge) {
  SimulatedStep step(judge, {});
  const N grown = any_number("grown");
  step.premises.push_back(N(0) <= grown && grown < step.before.next);
  step.premises.push_back(!(step.before.whole(step.t) && step.before.storage(step.t) == grown));
  machine::grow_memory(step.world, grown, any_number("elements"));
  const auto added = [](N p) { return B::of({apply("added", Sort::Truth, {p.v.t})}); };
  const auto within = step.before.within;
  step.state().within = [=](N s, N p) { return within(s, p) || (s == grown && added(p)); };
  step.state().memory = [=, memory = step.before.memory](N s, N p) {
    return select(s == grown && !within(s, p), unspecified_element(p), memory(s, p));
  };
  return step;
}

struct StepText {
  std::string name;
  std::string sentence;  ///< "after ..."
  SimulatedStep (*run)(const J& judge);
};
const std::vector<StepText> kSteps{
    {"make", "an op has made a tensor", make_tensor},
    {"read", "a tensor was read", read_tensor},
    {"sync", "what waits was applied at any moment", sync_storage},
    {"write", "a tensor was written", write_tensor},
    {"view", "a view was made", view_tensor},
    {"layout", "an op that is both a view and a mutation has changed a tensor", change_tensor_layout},
    {"set", "set_ has given a tensor another one's memory", set_tensor},
    {"grow", "resize_ has made a memory longer", grow_storage},
};

constexpr std::string_view kByLinks = "FUN-14: a write through repeated elements is undone view by view";

Obligation kept(const StepText& step, const SimulationClause& clause) {
  Obligation made{"functional." + step.name + "." + std::string(clause.name),
                  "After " + step.sentence + ": " + std::string(clause.sentence),
                  [run = step.run, &clause](const J& judge) { return run(judge).question(clause); }};
  if (step.name == "write" && clause.name == "due")
    made.except = {{Profile::torch_2_13, kByLinks}, {Profile::torch_1_13, kByLinks}};
  return made;
}

/// A read gives what the memory shows.
Question read_value(const J& judge) {
  SimulatedStep step(judge, {tensor_x()});
  step.premises.push_back(is_live(step, tensor_x()) && step.before.aliasing.in(tensor_x(), step.v));
  const Contents value = machine::read(step.world, tensor_x());
  const Aliasing& map = step.before.aliasing;
  return step.question(value.at(step.v) ==
                       step.before.memory(map.storage(tensor_x()), map.forward(tensor_x(), step.v)));
}

/// The tensor is there after the step that makes it; what the relation says of a tensor that is not there says nothing.
Question is_made(const J& judge, SimulatedStep (*run)(const J&)) {
  const SimulatedStep step = run(judge);
  return step.question(step.world.state().live(tensor_made()));
}

/// The memory after one write that waits: the places that its tensor shows have the written elements.
struct OneUpdate {
  B hit = any_truth("hit");
  N written = any_number("w");
  N base = any_number("b");  ///< at one place, when it is this update's turn
  N due() const { return select(hit, written, base); }
};

Question apply_one(const J& judge) {
  const OneUpdate one;
  FunctionalTerms turn(judge, any_simulation(""));
  turn.state().base = [one](N, N) { return one.base; };
  turn.state().waits = [](N) { return B(false); };
  const N storage = any_number("storage");
  machine::apply_update(turn, storage, {{[one](N) { return one.due(); }}}, any_truth("newest"));
  Question asked = claim(turn.base(storage).at(any_number("p")) == one.due());
  return asked.show("newest", any_truth("newest")).show("hit", one.hit);
}

/// A link of a chain, and the rest of the chain as one map from the link's view.
struct ChainWorld {
  using Domain = Symbolic;
  struct Link {};

  const J& asked;
  const J& judge() const { return asked; }
  static N number(const char* of, const N& at) { return N::of({apply(of, Sort::Integer, {at.v.t})}); }
  static B fact(const char* of, const N& at) { return B::of({apply(of, Sort::Truth, {at.v.t})}); }

  static B may_be_old(const Link&) { return any_truth("written since"); }
  static Contents view_of(const Link&, const Contents& source) {
    return {[source](N v) { return source.at(number("forward", v)); }};
  }
  static Contents view_when_made(const Link&) {
    return {[](N v) { return number("when-made", v); }};
  }
  static Contents inverse(const Link&, const Contents& source, const Contents& written) {
    return {[=](N i) { return select(fact("hit", i), written.at(number("back", i)), source.at(i)); }};
  }
  /// What the rest of the chain makes of the link's view.
  static Contents rest(const Contents& seen) {
    return {[=](N v) { return select(fact("rest-hit", v), number("w", number("rest-back", v)), seen.at(v)); }};
  }
};

/// Where the link's view is not written by the rest, its source must stay as it is.
Question write_back_one(const J& judge) {
  ChainWorld world{judge};
  const N i = any_number("i");
  const Contents source{[](N at) { return ChainWorld::number("b", at); }};
  const Contents made = machine::write_back_link(world, ChainWorld::Link{}, source, ChainWorld::rest);
  const N v = ChainWorld::number("back", i);
  const B hit = ChainWorld::fact("hit", i);
  const B written = hit && ChainWorld::fact("rest-hit", v);
  Question asked =
      claim(made.at(i) == select(written, ChainWorld::number("w", ChainWorld::number("rest-back", v)), source.at(i)));
  asked.given(implies(hit, ChainWorld::number("forward", v) == i));  // GetPut of the link (lens.get-put)
  asked.given(implies(!any_truth("written since"),
                      ChainWorld::number("when-made", v) == source.at(ChainWorld::number("forward", v))));
  return asked.show("written since", any_truth("written since"));
}

/// What waits names its value, which a later write of the same tensor changes in place. Between the two, any writes
/// wait; `first` and `second` are the base before them, with the old value and with the new one.
Question same_value_twice(const J& /*judge*/) {
  const B hit = any_truth("hit");
  const N base = any_number("b");
  const N now = any_number("now");
  const B between = any_truth("written between");
  const auto last = [&](const N& first) {
    const N then = select(between, any_number("other"), select(hit, first, base));
    return select(hit, now, then);
  };
  return claim(last(any_number("old")) == last(now));
}

}  // namespace

std::vector<Obligation> functional_steps() {
  std::vector<Obligation> all;
  for (const StepText& step : kSteps)
    for (const SimulationClause& clause : simulation_clauses()) all.push_back(kept(step, clause));
  all.push_back({"functional.write.due.one-to-one",
                 "After a tensor was written whose chain repeats no element: a base is the memory once all writes that "
                 "wait are applied to it.",
                 [](const J& judge) {
                   for (const SimulationClause& clause : simulation_clauses())
                     if (clause.name == "due") return write_one_to_one(judge).question(clause);
                   throw std::logic_error("the relation has no clause 'due'");
                 }});
  all.push_back({"functional.make.is-made", "An op that makes a tensor gives its result a functional storage.",
                 [](const J& judge) { return is_made(judge, make_tensor); }});
  all.push_back({"functional.view.is-made", "A view op gives its result a place in the storage of its source.",
                 [](const J& judge) { return is_made(judge, view_tensor); }});
  all.push_back({"functional.read.sees-memory", "A read gives what the memory shows.", read_value});
  all.push_back({"functional.apply.one",
                 "Of the writes that wait, each is written to the base when it is its turn, whichever comes after it.",
                 apply_one});
  all.push_back({"functional.write-back.one-link",
                 "If the rest of a chain is written back as one map, so is the chain with one link more before it.",
                 write_back_one});
  all.push_back({"functional.write-back.same-value",
                 "If a tensor is written twice and both writes wait, the base is the same when the first already has "
                 "the second's value.",
                 same_value_twice});
  return all;
}

}  // namespace plumbline::proofs
