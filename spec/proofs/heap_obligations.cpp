// Obligations about the heap: each statement keeps each clause of the invariant, and has the properties of a step.
#include <array>

#include "spec/proofs/heap_premises.h"
#include "spec/proofs/obligation.h"
#include "spec/proofs/once.h"
#include "spec/proofs/properties.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using T = TensorId<S>;

/// One statement on any heap that keeps the invariant.
struct Step {
  explicit Step(const Judge<S>& judge, const Move<S>& move) : before(any_heap("")), machine(judge, before) {
    move.run(machine, of);
  }

  Operands<S> of = any_operands();
  Heap<S> before;
  Machine<S> machine;
  T t = any_tensor("t");  ///< any two tensors
  T u = any_tensor("u");
};

/// The tensors for which the invariant is assumed: those of the statement and of the claim.
std::vector<T> spoken_of(const Step& step, const Move<S>& move) {
  return with_families(step.before, operands_and({step.t, step.u}, step.of, move));
}

/// The invariant for all tensors, with quantifiers.
void assume_all(Question& question, const Judge<S>& judge, const Heap<S>& heap) {
  const T t{bound_variable("any", Sort::Tensor)};
  const T u{bound_variable("other", Sort::Tensor)};
  for (const Clause<S>& clause : clauses<S>())
    question.premises.push_back(for_all({t.v, u.v}, clause.holds(judge, heap, t, u).v.t));
}

void show_step(Question& question, const Step& step, const Move<S>& move) {
  const std::array names{"x", "y", "z"};
  const std::array operands{step.of.x, step.of.y, step.of.z};
  const auto show = [&](const std::string& name, const Object<S>& o) {
    question.show(name + " is an inference tensor", kind_of(o));
    question.show(name + " is tracked", o.meta.tracked);
  };
  for (int i = 0; i < move.tensors; ++i)
    show(names[static_cast<std::size_t>(i)], step.before.tensors.at(operands[static_cast<std::size_t>(i)]));
  question.show("inference mode", step.before.tls.inference_mode);
  question.show("grad mode", step.before.tls.grad_mode);
  question.show("raises", !step.machine.ok());
}

/// A move's step and its premises, shared by all claims about the move.
struct Start {
  Start(const Judge<S>& judge, const Move<S>& move) : step(judge, move) {
    assume_operands(instances, step.before, step.of, move);
    assume_frames(instances, step.before);
    all = instances;
    assume_instances(instances, judge, step.before, spoken_of(step, move));
    show_step(instances, step, move);
  }

  Step step;
  Question instances;  ///< without its claim
  Question all;        ///< the same, without the invariant
};
Start& start_of(const Judge<S>& judge, const Move<S>& move) {
  thread_local Once<Start> starts;
  return starts.of(judge, std::string(move.name),
                   [&move](const Judge<S>& own) { return std::make_unique<Start>(own, move); });
}

Question about(const Start& start, const Bool<S>& holds) {
  Question question = start.instances;
  question.claim = holds.v.t;
  return question;
}

/// The cross-check: all clauses for all tensors, with nothing picked by hand.
Question all_clauses(const Judge<S>& judge, const Start& start) {
  const Step& step = start.step;
  Bool<S> holds(true);
  for (const Clause<S>& clause : clauses<S>()) holds = holds && clause.holds(judge, step.machine.heap, step.t, step.u);
  Question question = start.all;
  question.claim = holds.v.t;
  assume_all(question, judge, step.before);
  return question;
}

/// An unsafe statement that does not keep a clause, and why.
struct Breach {
  std::string_view move;
  std::string_view claim;
  std::string_view because;
};
constexpr std::string_view kOwnCounter =
    "VER-12: x.data has its own version counter, so x's counter does not see writes through it";
constexpr std::string_view kTakesStorage =
    "GEO-30: x takes y's storage and keeps its own counter and base, and graphs keep x as saved";
constexpr std::string_view kTakesMemory =
    "GEO-31, INF-21: x takes y's storage, of an inference or normal tensor, and keeps everything else";
constexpr std::string_view kBelow = "this guard is meant for kernels, and the clause is about code outside kernels";
constexpr std::string_view kBehind =
    "no ADInplaceOrView kernel runs, so nothing is checked (INF-05) and no version is bumped (VER-03)";
constexpr std::array kBreaches{
    Breach{"data", "one-counter", kOwnCounter},
    Breach{"set-data", "counted",
           "VER-14, INF-20: x takes y's keys and keeps its own counter, or still has no counter"},
    Breach{"set-data", "kinds-stay", "INF-20: x becomes an inference tensor exactly when y is one"},
    Breach{"set-data", "one-counter", kTakesStorage},
    Breach{"set-data", "one-storage", kTakesStorage},
    Breach{"set-data", "saved-is-normal", "INF-20: x becomes an inference tensor although a graph has saved it"},
    Breach{"set-data", "version-tracks-data", kTakesStorage},
    Breach{"set-data", "views-tracked", kTakesStorage},
    Breach{"set-data", "inference-has-no-history",
           "INF-20, AUT-22: x becomes an inference tensor and keeps its history"},
    Breach{"set_", "no-aliasing", kTakesMemory},
    Breach{"set_", "one-counter", kTakesMemory},
    Breach{"set_", "one-storage", kTakesMemory},
    Breach{"set_", "version-tracks-data", kTakesMemory},
    Breach{"set_", "views-tracked", kTakesMemory},
    Breach{"raw-write", "version-tracks-data", kBehind},
    Breach{"raw-write", "immutability", kBehind},
    Breach{"below-autograd", "tls", kBelow},
    Breach{"below-ad-inplace-or-view", "tls", kBelow},
    Breach{"auto-non-variable-type-mode", "tls", kBelow},
    Breach{"exclude-view", "tls", kBelow},
    Breach{"exclude-autograd", "tls", kBelow},
    Breach{"include-view", "tls", kBelow},
    Breach{"include-autograd", "tls", kBelow},
};

std::string_view breach(const Move<S>& move, std::string_view claim) {
  for (const Breach& one : kBreaches)
    if (one.move == move.name && (one.claim == claim || claim == "all-clauses")) return one.because;
  return {};
}

/// A text or release that breaks a claim about a statement, because of a rule's variant.
struct Departure {
  Profile profile;
  std::string_view claims;
  std::string_view moves;
  std::string_view reason;
};
constexpr std::string_view kWrites = " add_ mul_ transpose_ resize_ out set_ ";
constexpr std::string_view kLate = "INF-06: the check comes after the write";
constexpr std::string_view kRetyped = "INF-03: a view in another dtype takes its inference bit from the mode";
constexpr std::string_view kDetached =
    "VER-06: outside inference mode, detach of an inference tensor has a version counter";
constexpr std::string_view kData =
    "VER-13: outside inference mode, x.data of an inference tensor has a version counter";
constexpr std::string_view kMixed = "INF-16: an op may not take an inference tensor where its Autograd kernel runs";
constexpr std::string_view kBarred = "INF-17: a view op on an inference tensor outside inference mode is an error";
constexpr std::string_view kAny = " view split view-dtype detach ";
constexpr std::array kDepartures{
    Departure{Profile::rfc_0011, " immutability error-changes-nothing ", kWrites, kLate},
    Departure{Profile::torch_2_13, " immutability error-changes-nothing ", kWrites, kLate},
    Departure{Profile::torch_1_13, " immutability error-changes-nothing ", kWrites, kLate},
    Departure{Profile::rfc_0011, " requires-grad-may-be-set ", " requires_grad ",
              "INF-09: requires_grad cannot be set on an inference tensor anywhere"},
    Departure{Profile::torch_2_13, " no-aliasing one-counter all-clauses ", " view-dtype ", kRetyped},
    Departure{Profile::torch_1_13, " no-aliasing one-counter all-clauses ", " view-dtype ", kRetyped},
    Departure{Profile::torch_2_13, " counted all-clauses ", " detach ", kDetached},
    Departure{Profile::torch_1_13, " counted all-clauses ", " detach ", kDetached},
    Departure{Profile::torch_2_13, " counted all-clauses ", " data ", kData},
    Departure{Profile::torch_1_13, " counted all-clauses ", " data ", kData},
    Departure{Profile::torch_1_13, " guards-restore ", " leave ",
              "TLS-06: a guard for one key leaves its backend in the set"},
    Departure{Profile::torch_2_13, " writes-count ", " resize_ ", "VER-18: only other sizes count"},
    Departure{Profile::torch_1_13, " version-tracks-data writes-count all-clauses ", " resize_ ",
              "VER-18: resize_ does not bump the version"},
    Departure{Profile::draft_1, " raises-only-for-a-reason views-of-inference-never-raise ", kAny, kBarred},
    Departure{Profile::draft_1, " raises-only-for-a-reason ", " add mul div clone ", kMixed},
    Departure{Profile::draft_1, " writes-raise-only-for-a-reason ", " add_ mul_ transpose_ ",
              "INF-16, INF-18: an op may take neither an inference tensor nor a view that was made in inference mode"},
    Departure{Profile::draft_2, " immutability ", kWrites,
              "INF-05: an inference tensor may be written outside inference mode"},
    Departure{Profile::draft_2, " raises-only-for-a-reason ", " add mul div ", kMixed},
    Departure{Profile::draft_2, " writes-raise-only-for-a-reason ", " add_ mul_ ", kMixed},
    Departure{Profile::draft_2, " views-tracked unrecorded-is-marked all-clauses ", " view split ",
              "VIEW-01: inside inference mode no view is tracked"},
    Departure{Profile::ideal, " clone-recorded-as-asked ", " clone ", "AUT-16: this follows from KEY-10"},
    Departure{Profile::ideal, " recorded-as-asked ", " add mul div ",
              "KEY-10: an inference tensor that requires grad, beside a normal one that does not, reaches no Autograd "
              "kernel"},
};

bool names(std::string_view list, std::string_view name) {
  return list.find(" " + std::string(name) + " ") != std::string_view::npos;
}

/// 1.13's resize_ has no ADInplaceOrView kernel: it is never refused, so it is never refused too late.
bool applies(const Departure& departure, std::string_view claim, std::string_view move) {
  if (!names(departure.claims, claim) || !names(departure.moves, move)) return false;
  return departure.profile != Profile::torch_1_13 || move != "resize_" || claim != "error-changes-nothing";
}

/// The obligation that `move` keeps `claim`, with its expected verdicts.
Obligation obligation(const Move<S>& move, std::string_view claim, std::string_view sentence,
                      std::function<Question(const Judge<S>&)> build) {
  Obligation one{"heap." + std::string(claim) + "." + std::string(move.name), std::string(sentence), std::move(build)};
  one.because = breach(move, claim);
  if (!one.because.empty()) one.expected = Verdict::refuted;
  for (const Departure& departure : kDepartures)
    if (one.because.empty() && applies(departure, claim, move.name))
      one.except.push_back({departure.profile, departure.reason});
  return one;
}

}  // namespace

std::vector<Obligation> heap_obligations() {
  std::vector<Obligation> all;
  for (const Move<S>& move : moves<S>()) {
    for (const Clause<S>& clause : clauses<S>())
      all.push_back(obligation(move, clause.name, clause.sentence, [move, clause](const Judge<S>& judge) {
        const Start& start = start_of(judge, move);
        return about(start, clause.holds(judge, start.step.machine.heap, start.step.t, start.step.u));
      }));
    for (const Property<S>& property : properties<S>())
      if (concerns(property, move))
        all.push_back(obligation(move, property.name, property.sentence, [move, property](const Judge<S>& judge) {
          const Start& start = start_of(judge, move);
          const Step& step = start.step;
          return about(start, property.holds({step.before, step.machine, step.of, step.t}));
        }));
    all.push_back(
        obligation(move, "all-clauses",
                   "The statement keeps every clause, with the whole invariant assumed as quantified formulas.",
                   [move](const Judge<S>& judge) { return all_clauses(judge, start_of(judge, move)); }));
  }
  return all;
}

}  // namespace plumbline::proofs
