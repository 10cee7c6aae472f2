// Obligations about the thread state: the guards, by the rules TLS.
#include "spec/machine/guards.h"

#include "spec/proofs/guard_words.h"

namespace plumbline::proofs {

namespace {

/// A guard of the program.
struct Guard {
  std::string name;
  std::string words;
  GuardKind kind;

  machine::Guard<S> any() const { return {kind, any_truth("enabled"), any_keys("key")}; }
  bool whole() const { return kind == GuardKind::inference_mode; }
};
std::vector<Guard> safe_guards() {
  return {{"inference-mode", "InferenceMode, on or off,", GuardKind::inference_mode},
          {"grad-mode", "set_grad_enabled, on or off,", GuardKind::set_grad_enabled}};
}
std::vector<Guard> unsafe_guards() {
  return {{"below-autograd", "AutoDispatchBelowAutograd", GuardKind::below_autograd},
          {"below-adinplaceorview", "AutoDispatchBelowADInplaceOrView", GuardKind::below_ad_inplace_or_view},
          {"auto-non-variable-type-mode", "AutoNonVariableTypeMode", GuardKind::auto_non_variable_type_mode},
          {"exclude", "An exclude guard", GuardKind::exclude_key},
          {"include", "An include guard", GuardKind::include_key}};
}
std::vector<Guard> all_guards() {
  std::vector<Guard> all = safe_guards();
  for (Guard& guard : unsafe_guards()) all.push_back(std::move(guard));
  return all;
}

/// The stack of frames as a function of depth: what each open guard found. The current state is `now`.
class Stack {
 public:
  using Domain = S;

  explicit Stack(const Judge<S>& judge, const Truth& whole = false) : judge_(&judge) {
    open_ = [whole](const Number& at) {
      const auto word = [&](std::string_view name) { return Keys::of({apply(name, Sort::Word, {at.v.t})}); };
      const auto truth = [&](std::string_view name) { return Truth::of({apply(name, Sort::Truth, {at.v.t})}); };
      const State tls{word("frame.included"), word("frame.excluded"), truth("frame.inference_mode"),
                      truth("frame.grad_mode")};
      return machine::Found<S>{tls, whole};
    };
  }

  Number depth = any_number("depth");
  State now = any_state("now");

  State found(const Number& at) const { return open_(at).tls; }
  Stack entered(const Guard& guard) const {
    Stack inner = *this;
    machine::enter(inner, guard.any());
    return inner;
  }
  Stack left() const {
    Stack outer = *this;
    machine::leave(outer, any_truth("raised"));
    return outer;
  }

  // The world of spec/machine (machine::Frames).
  const Judge<S>& judge() const { return *judge_; }
  const State& tls() const { return now; }
  void set_tls(const State& tls) { now = tls; }
  void open_frame(const machine::Found<S>& opened) {
    open_ = [opened, top = depth, below = open_](const Number& at) {
      const machine::Found<S> other = below(at);
      return machine::Found<S>{select(at == top, opened.tls, other.tls), select(at == top, opened.whole, other.whole)};
    };
    depth = depth + Number(1);
  }
  machine::Found<S> frame() const { return open_(depth - Number(1)); }
  void close_frame() { depth = depth - Number(1); }

 private:
  const Judge<S>* judge_;
  std::function<machine::Found<S>(const Number&)> open_;
};

/// A guard ends in any state: the state after it depends only on the state that it found.
Question leaving_restores(const Judge<S>& judge, bool whole) {
  const State found = any_state("found");
  const State inside = any_state("inside");
  const State left = machine::after_guard<S>(judge, {found, whole}, inside, any_truth("raised"));
  const Truth backend = has(inside.included, kAllBackends) || has(inside.excluded, kAllBackends);
  return shown(shown(claim(left == found), "found", found), "left", left)
      .show("raised", any_truth("raised"))
      .show("the body ends with a backend in its sets", backend);
}

/// Enters `guard`; then the body, balanced by the induction hypothesis, ends in any state; then the guard ends.
Question nested_restores(const Judge<S>& judge, const Guard& guard) {
  const Stack before(judge);
  Stack body = before.entered(guard);
  body.now = any_state("inside");
  const Stack after = body.left();
  const Number below = any_number("below");
  const Truth backend = has(body.now.included, kAllBackends) || has(body.now.excluded, kAllBackends);
  const Truth frames = implies(below < before.depth, after.found(below) == before.found(below));
  return shown(claim(after.depth == before.depth && after.now == before.now && frames), "after", after.now)
      .show("the body ends with a backend in its sets", backend);
}

/// The clause for the thread's state and for an arbitrary frame, and a step from there.
struct InOrder {
  Number at = any_number("at");
  Truth of(const Stack& stack) const {
    return in_order(stack.now) && implies(Number(0) <= at && at < stack.depth, in_order(stack.found(at)));
  }
};
Question enter_keeps_order(const Judge<S>& judge, const Guard& guard) {
  const Stack before(judge);
  const Stack inside = before.entered(guard);
  const InOrder clause;
  Question question = claim(clause.of(inside)).given(clause.of(before)).given(Number(0) <= before.depth);
  return shown(shown(question, "before", before.now), "inside", inside.now);
}
/// The end of a guard reads the topmost frame, so the clause must hold for that one too.
Question leave_keeps_order(const Judge<S>& judge, bool whole) {
  const Stack before(judge, whole);
  const Stack after = before.left();
  const InOrder clause;
  return shown(claim(clause.of(after))
                   .given(clause.of(before))
                   .given(in_order(before.found(before.depth - Number(1))))
                   .given(Number(0) < before.depth),
               "after", after.now);
}

constexpr std::string_view kLeavesBackend = "TLS-06: a guard for one key leaves its backend in the set";
const std::vector<std::pair<std::string, std::string>> kByBackend{{"the body ends with a backend in its sets", "true"}};

std::vector<Obligation> restore_obligations() {
  std::vector<Obligation> all{
      {"guard.leaving-restores.one-key",
       "When a guard for one key ends, it restores exactly the state that it found, also after an error.",
       [](const Judge<S>& judge) { return leaving_restores(judge, false); },
       Verdict::proved,
       {{Profile::torch_1_13, kLeavesBackend}},
       {},
       kByBackend},
      {"guard.leaving-restores.inference-mode",
       "When InferenceMode ends, it restores exactly the state that it found, also after an error.",
       [](const Judge<S>& judge) { return leaving_restores(judge, true); }}};
  for (const Guard& guard : all_guards()) {
    Obligation one{"guard.nested-restores." + guard.name,
                   guard.words +
                       " and its body, whatever guards that opens and closes, end in the state in which they began, "
                       "with the same frames. By induction over the body this holds at any depth.",
                   [guard](const Judge<S>& judge) { return nested_restores(judge, guard); }};
    if (!guard.whole()) {
      one.except = {{Profile::torch_1_13, kLeavesBackend}};
      one.counterexample = kByBackend;
    }
    all.push_back(std::move(one));
  }
  return all;
}

/// The shown condition under which an unsafe guard breaks the clause, and why.
struct Breach {
  std::string guard;
  std::string_view because;
  std::string what;
};
Question breach(const Judge<S>& judge, const Guard& guard) {
  const Keys key = any_keys("key");
  return enter_keeps_order(judge, guard)
      .show("the thread was in inference mode", any_truth("now.inference_mode"))
      .show("the key is ADInplaceOrView", key == keys(kView))
      .show("the key is Autograd", key == Keys(Functionality::Autograd));
}

std::vector<Obligation> clause_obligations() {
  std::vector<Obligation> all{
      {"guard.clause.default",
       "In a new thread's state ADInplaceOrView is included, and neither it nor an Autograd key is excluded.",
       [](const Judge<S>& judge) {
         const State first = default_tls(judge);
         return shown(claim(in_order(first) && !first.inference_mode), "default", first);
       }},
      {"guard.clause.leaving",
       "The end of a guard keeps this clause for the thread and for every frame: in inference mode ADInplaceOrView is "
       "not included and every Autograd key is excluded; outside it ADInplaceOrView is included and no Autograd key is "
       "excluded.",
       [](const Judge<S>& judge) { return leave_keeps_order(judge, true); }}};
  for (const Guard& guard : safe_guards())
    all.push_back({"guard.clause." + guard.name, guard.words + " keeps that clause for the thread and for every frame.",
                   [guard](const Judge<S>& judge) { return enter_keeps_order(judge, guard); }});
  const std::vector<Breach> breaches{
      {"below-autograd", "outside inference mode it excludes Autograd: unsafe by design",
       "the thread was in inference mode"},
      {"below-adinplaceorview", "it excludes ADInplaceOrView and Autograd: unsafe by design",
       "the thread was in inference mode"},
      {"auto-non-variable-type-mode", "outside inference mode it excludes Autograd: unsafe by design",
       "the thread was in inference mode"},
      {"exclude", "it can exclude Autograd outside inference mode", "the key is Autograd"},
      {"include", "it can include ADInplaceOrView in inference mode", "the key is ADInplaceOrView"}};
  const std::vector<Guard> guards = unsafe_guards();
  for (std::size_t i = 0; i < guards.size(); ++i) {
    const bool mode = breaches[i].what.starts_with("the thread");
    all.push_back({"guard.clause." + guards[i].name,
                   guards[i].words + " keeps that clause.",
                   [guard = guards[i]](const Judge<S>& judge) { return breach(judge, guard); },
                   Verdict::refuted,
                   {},
                   breaches[i].because,
                   {{breaches[i].what, mode ? "false" : "true"}}});
  }
  for (const std::size_t i : {3U, 4U})
    all.push_back(
        {"guard.clause." + guards[i].name + "-of-another-key",
         guards[i].words + " for a key that is neither an Autograd key nor ADInplaceOrView keeps that clause.",
         [guard = guards[i]](const Judge<S>& judge) {
           return enter_keeps_order(judge, guard).given(!has(any_keys("key"), kView | kAutograd));
         }});
  return all;
}

}  // namespace

std::vector<Obligation> guard_effect_obligations();

std::vector<Obligation> guard_obligations() {
  std::vector<Obligation> all;
  for (const auto& part : {restore_obligations(), clause_obligations(), guard_effect_obligations()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace plumbline::proofs
