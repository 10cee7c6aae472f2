// Obligations about a place that gradients reach in backward: which hooks are called and with what, what grad() returns
// and retain_grad() keeps, and whether backward goes on.
#include "spec/machine/reached.h"

#include "spec/proofs/heap_premises.h"
#include "spec/proofs/obligation.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using B = Bool<S>;
using N = Num<S>;
using J = Judge<S>;

/// Something that happens to a gradient on some paths.
struct Event {
  N times = 0;
  N gradient = any_number("nothing");  ///< as it was then
};

/// A place that gradients reach (machine::ReachedPlace). Its tensor has two hooks; each gives another gradient.
class AnyPlace {
 public:
  AnyPlace(Machine<S>& world, bool leaf) : world_(world), leaf_(leaf) {}

  bool is_leaf() const { return leaf_; }
  TensorId<S> leaf() const { return any_tensor("x"); }
  B is_chosen() const { return any_truth("chosen"); }
  B leads() const { return any_truth("leads to a chosen tensor"); }
  B arrived() const { return any_truth("a gradient arrived"); }
  B is_hooked() const { return any_truth("hooked"); }
  B hooked_after() const { return any_truth("hooked after accumulation"); }
  void take() { happens(taken); }
  void call_hooks() {
    Hook first{*this, "first hook", false};
    Hook second{*this, "second hook", !B(leaf_) && any_truth("second hook is later than retain_grad()")};
    machine::call_hook(world_, first);
    machine::call_hook(world_, second);
    happens(hooks);
  }
  void retain() {
    Event again = retained;
    happens(again);
    retained = {select(retained.times == N(0), again.times, retained.times),
                select(retained.times == N(0), again.gradient, retained.gradient)};
  }
  void run() { happens(ran); }
  void call_hooks_after() {
    found = select(world_.path(), ran.times == N(1), found);
    happens(after);
  }

  N gradient = any_number("gradient");
  Event taken, hooks, retained, ran, after;
  B found = false;  ///< a hook after accumulation found the leaf's `.grad` filled

 private:
  struct Hook {
    AnyPlace& place;
    std::string_view name;
    B later;

    B is_later() const { return later; }
    void retain() const { place.retain(); }
    void call() const {
      const N left = N::of({apply(name, Sort::Integer, {place.gradient.v.t})});
      place.gradient = select(place.world_.path(), left, place.gradient);
    }
  };

  void happens(Event& event) {
    event.times = select(world_.path(), event.times + N(1), event.times);
    event.gradient = select(world_.path(), gradient, event.gradient);
  }

  Machine<S>& world_;
  bool leaf_;
};

/// Backward reaches a place.
struct Reach {
  Machine<S> world;
  AnyPlace place;
  machine::Wanted<S> wanted{any_truth("all leaves"), any_truth("grad()")};
  N arrived = any_number("gradient");

  Reach(const J& judge, bool leaf) : world(judge, any_heap("")), place(world, leaf) {
    machine::reach(world, place, wanted);
  }
  /// Backward goes on from here.
  B goes_on() const { return wanted.all || place.leads() || (place.is_chosen() && !wanted.returned); }
};

B once_if(const Event& event, const B& condition) { return event.times == select(condition, N(1), N(0)); }

struct ReachedClaim {
  std::string_view name;
  std::string_view sentence;
  B (*holds)(const Reach& r);
  std::vector<Exception> except = {};
};

constexpr std::string_view kEnds = "AUT-83: hooks are not called where backward ends";
const std::vector<ReachedClaim> kOfBoth{
    {"goes-on",
     "Backward goes on from a place exactly if no tensor was chosen, it leads to a chosen tensor, or it is a chosen "
     "tensor's and grad() does not return the gradient; a leaf also needs a gradient.",
     [](const Reach& r) { return once_if(r.place.ran, r.goes_on() && (r.place.arrived() || !B(r.place.is_leaf()))); }},
    {"hooks-are-called",
     "Hooks are called once, whether backward goes on or ends there.",
     [](const Reach& r) { return once_if(r.place.hooks, r.place.is_hooked()); },
     {{Profile::torch_1_13, kEnds}}},
    {"hooks-come-first", "Where backward goes on, it does so with the gradient that the hooks leave.",
     [](const Reach& r) { return implies(r.place.ran.times == N(1), r.place.ran.gradient == r.place.gradient); }},
    {"returned",
     "grad() returns the gradient as it was before the hooks if backward goes on, and what they leave if it ends "
     "there.",
     [](const Reach& r) {
       const N right = select(r.goes_on(), r.arrived, r.place.gradient);
       return once_if(r.place.taken, true) && r.place.taken.gradient == right;
     }},
};
const std::vector<ReachedClaim> kOfNode{
    {"retained",
     "retain_grad() keeps what all hooks leave, whether backward goes on or ends there.",
     [](const Reach& r) { return once_if(r.place.retained, true) && r.place.retained.gradient == r.place.gradient; },
     {{Profile::torch_1_13, "AUT-74, AUT-79: it keeps nothing where backward ends, and not what later hooks leave"}}},
};
const std::vector<ReachedClaim> kOfLeaf{
    {"hooks-after",
     "Hooks after accumulation are called once, exactly if the leaf's `.grad` gets a gradient: not if grad() takes it.",
     [](const Reach& r) {
       const B fills = r.place.arrived() && r.world.requires_grad(r.place.leaf());
       return once_if(r.place.after, r.place.hooked_after() && r.goes_on() && fills);
     },
     {{Profile::torch_2_13, "AUT-98: they are called without a gradient, too"}}},
    {"hooks-after-come-last", "They find the gradient in the leaf's `.grad`.",
     [](const Reach& r) { return implies(r.place.after.times == N(1) && r.place.arrived(), r.place.found); }},
};

Question brought_to(const J& judge) {
  Reach reach(judge, false);
  const B brought = machine::takes_part(judge, reach.place, reach.wanted);
  return claim(brought == (reach.goes_on() || reach.place.is_chosen()));
}

void add_reached(std::vector<Obligation>& all, bool leaf, const std::vector<ReachedClaim>& claims) {
  for (const ReachedClaim& one : claims) {
    Obligation made{
        std::string(leaf ? "reached-leaf." : "reached-node.") + std::string(one.name),
        std::string(leaf ? "A gradient reaches a leaf. " : "Gradients reach a node. ") + std::string(one.sentence),
        [leaf, holds = one.holds](const J& judge) {
          const Reach reach(judge, leaf);
          Question asked = claim(holds(reach));
          asked.show("goes on", reach.goes_on()).show("hooked", reach.place.is_hooked());
          return asked.show("requires grad", reach.world.requires_grad(reach.place.leaf()));
        }};
    made.except = one.except;
    all.push_back(std::move(made));
  }
}

}  // namespace

std::vector<Obligation> reached_obligations() {
  std::vector<Obligation> all{
      {"reached-node.is-brought",
       "Gradients are brought to a place exactly if backward goes on from there, or if it is a chosen tensor's.",
       brought_to}};
  add_reached(all, false, kOfBoth);
  add_reached(all, false, kOfNode);
  add_reached(all, true, kOfBoth);
  add_reached(all, true, kOfLeaf);
  return all;
}

}  // namespace plumbline::proofs
