// spec/machine runs in two worlds: on the proofs' heap, here with plain values, and on the reference's state. Random
// programs leave both alike, statement by statement, in every profile.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "prove/script_of.h"
#include "reference/call.h"
#include "reference/machine.h"
#include "spec/rules/catalogue.h"

namespace plumbline::prove {
namespace {

using proofs::Act;

/// Chooses random acts that a state allows.
class Source {
 public:
  Source(const reference::Judge& judge, std::uint64_t seed, bool unsafe)
      : judge_(judge), random_(seed), unsafe_(unsafe) {}

  std::vector<Act> acts(int length) {
    proofs::Heap<Concrete> heap = proofs::first_heap(judge_);
    std::vector<Act> all;
    if (below(4) != 0)
      for (const Act& act : prelude()) {
        heap = proofs::act_on(judge_, heap, act).heap;
        all.push_back(act);
      }
    while (static_cast<int>(all.size()) < length) {
      const Act act = next(heap);
      if (!possible(heap, act)) continue;
      heap = proofs::act_on(judge_, heap, act).heap;
      all.push_back(act);
      if (moves_[static_cast<std::size_t>(act.move)].name == "resize_") break;  // sizes no longer fit each other
    }
    return all;
  }

 private:
  int move(std::string_view name) const {
    const auto found = std::ranges::find(moves_, name, &proofs::Move<Concrete>::name);
    return static_cast<int>(found - moves_.begin());
  }
  /// A normal tensor that may require grad, an inference tensor, and perhaps a view of the first: what most rules are
  /// about.
  std::vector<Act> prelude() {
    std::vector<Act> acts{{move("factory"), 0, 0, 0, below(4) != 0},
                          {move("inference_mode"), 0, 0, 0, true},
                          {move("factory"), 0, 0, 0, below(2) == 0}};
    const Act leave{move("leave")};
    const Act view{move(below(3) == 0 ? "split" : "view"), 0};
    if (below(3) == 0) acts.push_back(view);
    acts.push_back(leave);
    if (below(2) == 0) acts.push_back({move("add"), 0, 0});  // no leaf
    if (below(3) == 0) acts.push_back({move("view"), below(2)});
    if (unsafe_ && below(8) == 0) acts.push_back({move("exclude-view")});  // writes that are recorded and not counted
    return acts;
  }
  int below(int n) { return n <= 0 ? 0 : static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Act next(const proofs::Heap<Concrete>& heap) {
    const int n = proofs::tensors_in(heap);
    return {below(static_cast<int>(moves_.size())), below(n), below(n), below(n), below(2) == 0, below(4) == 0};
  }
  bool possible(const proofs::Heap<Concrete>& heap, const Act& act) const {
    const proofs::Move<Concrete>& move = moves_[static_cast<std::size_t>(act.move)];
    const int n = proofs::tensors_in(heap);
    if (move.name == "backward") return false;   // its own graph, not the machine's
    if (move.name == "raw-write") return false;  // no statement of the reference
    if (move.unsafe && !unsafe_) return false;
    // a script's view(dtype) is in the tensor's own dtype, which 1.13 takes for no view in another one (VIEW-19)
    if (move.name == "view-dtype" && judge_.profile == Profile::torch_1_13) return false;
    if (act.raises && move.name != "transpose_") return false;
    if (move.makes && n >= 5) return false;
    if (move.tensors > 0 && n == 0) return false;
    if (move.name == "leave") return heap.depth.v > 0;
    return move.tensors > 0 || move.makes || heap.depth.v < 3;
  }

  const reference::Judge& judge_;
  std::mt19937_64 random_;
  bool unsafe_;
  std::vector<proofs::Move<Concrete>> moves_ = proofs::moves<Concrete>();
};

std::string truth(bool b) { return b ? "true" : "false"; }

/// The machine's fields of a tensor.
std::string described(const proofs::Machine<Concrete>& machine, int id) {
  const proofs::Object<Concrete> o = machine.heap.tensors.at({id});
  const bool tracked = o.meta.tracked.v;
  return fmt::format("keys {:#x} inference {} version {} tracked {} base {} creation {} requires_grad {} grad_fn {}",
                     machine.keys({id}).v, truth(machine.inference({id}).v),
                     o.meta.counted.v ? std::to_string(machine.version({id}).v) : "none", truth(tracked),
                     tracked ? o.base.v : -1, tracked ? o.meta.creation.v : 0, truth(machine.requires_grad({id}).v),
                     truth(o.meta.has_grad_fn.v));
}
/// The reference's fields of a tensor.
std::string described(const reference::Judge& judge, reference::State& state, reference::TensorId id) {
  const reference::Tensor& t = reference::at(state, id);
  const bool tracked = t.meta.tracked.v;
  return fmt::format("keys {:#x} inference {} version {} tracked {} base {} creation {} requires_grad {} grad_fn {}",
                     reference::keys_of(judge, state, id).v, truth(is_inference(judge, t.meta, state.tls).v),
                     t.counter >= 0 ? std::to_string(reference::version_of(state, t)) : "none", truth(tracked),
                     tracked ? t.base : -1, tracked ? t.meta.creation.v : 0,
                     truth(reference::requires_grad_of(judge, state, id)), truth(t.meta.has_grad_fn.v));
}

/// The first tensor that shares a tensor's storage.
int first_on(const proofs::Machine<Concrete>& machine, int id) {
  const int storage = machine.heap.tensors.at({id}).storage.v;
  for (int i = 0; i < id; ++i)
    if (machine.heap.tensors.at({i}).storage.v == storage) return i;
  return id;
}
int first_on(const reference::State& state, int id) {
  const auto storage = [&](int i) {
    return state.tensors.at(static_cast<std::size_t>(state.slots.at(static_cast<std::size_t>(i)))).storage;
  };
  for (int i = 0; i < id; ++i)
    if (storage(i) == storage(id)) return i;
  return id;
}

/// The first tensor whose element the reference changed although the machine wrote nothing; -1 if there is none.
int written_unseen(const proofs::Heap<Concrete>& before, const proofs::Heap<Concrete>& after,
                   const reference::State& found, const reference::State& state) {
  for (int i = 0; i < proofs::tensors_in(before); ++i) {
    const auto storage = before.tensors.at({i}).storage;
    if (before.storages.at(storage).data.v != after.storages.at(storage).data.v) continue;
    const auto& tensor = found.tensors.at(static_cast<std::size_t>(found.slots.at(static_cast<std::size_t>(i))));
    const auto place = static_cast<std::size_t>(tensor.storage);
    const double was = found.storages[place].elements.at(0).real;
    const double is = state.storages[place].elements.at(0).real;
    if (was != is && !(std::isnan(was) && std::isnan(is))) return i;  // 0 divided by 0
  }
  return -1;
}

/// The first difference, or nothing.
std::string disagreement(const reference::Judge& ours_by, const reference::Judge& judge, const std::vector<Act>& acts) {
  proofs::Heap<Concrete> heap = proofs::first_heap(ours_by);
  reference::State state = reference::initial_state(judge);
  const ActScript script = script_of(acts, ours_by);
  for (std::size_t i = 0; i < acts.size(); ++i) {
    const proofs::Machine<Concrete> machine = proofs::act_on(ours_by, heap, acts[i]);
    const reference::State found = state;
    const Outcome outcome = reference::step(judge, state, script.script.statements[script.places[i]]);
    const std::string_view move = proofs::moves<Concrete>()[static_cast<std::size_t>(acts[i].move)].name;
    const auto raised = static_cast<ErrorClass>(machine.error.v);
    if (raised != outcome.failure.error)
      return fmt::format("{} {}: the machine raises {}, the reference {} ({})", i, move, static_cast<int>(raised),
                         static_cast<int>(outcome.failure.error), outcome.failure.message);
    const int unseen = written_unseen(heap, machine.heap, found, state);
    if (unseen >= 0) return fmt::format("{} {}: t{} was written unseen", i, move, unseen);
    heap = machine.heap;
    for (int t = 0; t < proofs::tensors_in(heap); ++t) {
      const std::string ours = described(machine, t);
      const std::string theirs = described(judge, state, state.slots.at(static_cast<std::size_t>(t)));
      if (first_on(machine, t) != first_on(state, t))
        return fmt::format("{} {}, t{}: the machine has t{}'s storage, the reference t{}'s", i, move, t,
                           first_on(machine, t), first_on(state, t));
      if (ours != theirs) return fmt::format("{} {}, t{}:\n  machine   {}\n  reference {}", i, move, t, ours, theirs);
    }
    if (!(heap.tls == state.tls).v) return fmt::format("{} {}: the thread states differ", i, move);
  }
  return {};
}

void agree(const reference::Judge& judge, bool unsafe, int programs) {
  for (int i = 0; i < programs; ++i) {
    const auto acts = Source(judge, 1000003ULL * static_cast<unsigned>(i) + 7, unsafe).acts(13);
    const std::string difference = disagreement(judge, judge, acts);
    ASSERT_EQ(difference, "") << "program " << i << " under " << name_of(judge.profile)
                              << (judge.flipped != nullptr ? " with " + judge.flipped->id() + " flipped" : "");
  }
}

TEST(TwoWorlds, safe_programs_agree_in_every_profile) {
  for (const ProfileInfo& info : kProfiles) {
    reference::Judge judge;
    judge.profile = info.profile;
    agree(judge, false, 3000);
  }
}

TEST(TwoWorlds, unsafe_programs_agree_in_every_profile) {
  for (const ProfileInfo& info : kProfiles) {
    reference::Judge judge;
    judge.profile = info.profile;
    agree(judge, true, judge.profile == Profile::sound ? 60000 : 3000);
  }
}

/// The rules that the machine asks in its programs.
std::vector<const Rule*> machine_rules() {
  Decisions decisions;
  reference::Judge judge;
  judge.decisions = &decisions;
  for (int i = 0; i < 300; ++i) Source(judge, static_cast<std::uint64_t>(i), true).acts(13);
  std::vector<const Rule*> rules;
  for (const Rule* rule : kRules)
    if (decisions.consulted.test(rule->index())) rules.push_back(rule);
  return rules;
}

/// Misreading these rules leads to states that the machine cannot represent.
const std::map<const Rule*, std::string_view> kMisreadOtherwise{{&VIEW_03, "a base that is a view itself"},
                                                                {&VIEW_16, "a base that is a view itself"},
                                                                {&VIEW_19, "tensors of the proofs have no dtype"}};
/// No program of the machine's statements can show these rules.
const std::map<const Rule*, std::string_view> kUnseen{
    {&TLS_07, "an error leaves guards by unwinding, which is no statement"},
    {&VER_08, "every tensor has one element"},
    {&AUT_12, "every tensor has a floating dtype"},
    {&AUT_23, "every tensor has a floating dtype"}};

TEST(TwoWorlds, a_rule_misread_by_both_gives_no_difference) {
  for (const Rule* rule : machine_rules()) {
    if (kMisreadOtherwise.contains(rule)) continue;
    reference::Judge judge;
    judge.flipped = rule;
    agree(judge, true, 150);
  }
}

TEST(TwoWorlds, a_rule_misread_by_one_is_noticed) {
  for (const Rule* rule : machine_rules()) {
    reference::Judge misread;
    misread.flipped = rule;
    bool seen = false;
    for (int i = 0; i < 30000 && !seen; ++i) {
      const auto acts = Source({}, static_cast<std::uint64_t>(i), true).acts(13);
      seen = !disagreement({}, misread, acts).empty() && disagreement({}, {}, acts).empty();
    }
    EXPECT_EQ(seen, !kUnseen.contains(rule)) << rule->id();
  }
}

}  // namespace
}  // namespace plumbline::prove
