// Obligations about backward and custom functions: a gradient that arrives at a leaf, and a tensor that apply returns,
// keep every clause of the invariant.
#include <array>

#include "spec/proofs/heap_premises.h"
#include "spec/proofs/obligation.h"
#include "spec/proofs/once.h"
#include "spec/proofs/properties.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using T = TensorId<S>;
using B = Bool<S>;

/// A step that is no statement of its own. `x`, `y` and `z` are its operands; the rest are its free choices.
struct Inner {
  Heap<S> before = any_heap("");
  T x = any_tensor("x");
  T y = any_tensor("y");
  T z = any_tensor("z");
  T t = any_tensor("t");  ///< any two tensors
  T u = any_tensor("u");
  Fresh<S> fresh = any_operands().fresh;
  B finds = any_truth("finds");
  B fits = any_truth("fits");
  Wrapping<S> wrapping{
      x, any_truth("forward-recorded"), any_truth("input"), any_truth("dirty"), any_truth("marked"), any_truth("many")};
  Machine<S> machine;

  Inner(const Judge<S>& judge, void (*run)(Inner&)) : machine(judge, before) { run(*this); }

  Object<S> was(T of) const { return before.tensors.at(of); }
  Object<S> is(T of) const { return machine.heap.tensors.at(of); }
  B wrote(T of) const {
    return !(machine.heap.storages.at(was(of).storage).data == before.storages.at(was(of).storage).data);
  }
};

void gradient_arrives(Inner& step) {
  step.machine.accumulate({step.x, step.y, step.z, step.finds, step.fits}, step.fresh);
}
void apply_returns(Inner& step) { step.machine.wrap(step.wrapping, step.fresh); }

struct Kind {
  std::string_view name;
  std::string_view sentence;
  void (*run)(Inner&);
  int operands;
};
constexpr std::array kKinds{
    Kind{"gradient", "A gradient arrives at a leaf.", gradient_arrives, 3},
    Kind{"custom-function", "A tensor comes out of apply.", apply_returns, 1},
};

/// A step with its premises, shared by the claims about its kind.
struct InnerStart {
  InnerStart(const Judge<S>& judge, const Kind& kind) : step(judge, kind.run) {
    const Move<S> move{kind.name, kind.sentence, kind.operands, true, false, nullptr};
    const Operands<S> of = any_operands();
    assume_operands(question, step.before, of, move);
    assume_instances(question, judge, step.before,
                     with_families(step.before, operands_and({step.t, step.u}, of, move)));
    question.show("x is an inference tensor", kind_of(step.was(step.x)));
    question.show("inference mode", step.before.tls.inference_mode);
    question.show("grad mode", step.before.tls.grad_mode);
    question.show("raises", !step.machine.ok());
  }

  Inner step;
  Question question;  ///< without its claim
};
const InnerStart& inner_start(const Judge<S>& judge, const Kind& kind) {
  thread_local Once<InnerStart> starts;
  return starts.of(judge, std::string(kind.name),
                   [&kind](const Judge<S>& own) { return std::make_unique<InnerStart>(own, kind); });
}

Question inner_claim(const InnerStart& start, const B& claim) {
  Question question = start.question;
  question.claim = claim.v.t;
  return question;
}

/// A claim about one kind of step.
struct Claim {
  std::size_t kind;
  std::string_view name;
  std::string_view sentence;
  B (*holds)(const Inner& s);
};
constexpr std::size_t kGradient = 0;
constexpr std::size_t kApply = 1;

/// The leaf takes the gradient.
B takes(const Inner& s) { return s.machine.ok() && s.machine.requires_grad(s.x); }

const std::array kClaims{
    Claim{kGradient, "a-moved-leaf-raises", "If the leaf has a history by now, backward raises an error.",
          [](const Inner& s) { return implied(s.is(s.x).meta.has_grad_fn, !s.machine.ok()); }},
    Claim{kGradient, "only-if-asked", "A leaf that does not require grad gets nothing: nothing is written or made.",
          [](const Inner& s) {
            return implied(!s.machine.requires_grad(s.x) && s.was(s.t).live,
                           !s.wrote(s.t) && !s.is(s.fresh.tensor).live);
          }},
    Claim{
        kGradient, "accumulates",
        "If the leaf has a `.grad`, that is written, or the sum is a new tensor; without a `.grad` the leaf gets a new "
        "tensor, and none is written.",
        [](const Inner& s) {
          const B made = s.is(s.fresh.tensor).live;
          const B anew = made && implied(s.was(s.t).live, !s.wrote(s.t));
          const B again = implied(!made, s.wrote(s.z)) && implied(made, s.before.tls.grad_mode);
          return implied(takes(s), select(s.finds, again, anew));
        }},
    Claim{kGradient, "a-recorded-sum-is-new", "While grad mode is on, no tensor is written.",
          [](const Inner& s) { return implied(s.before.tls.grad_mode && s.was(s.t).live, !s.wrote(s.t)); }},
    Claim{kGradient, "recorded-as-asked",
          "While grad mode is on outside inference mode, a new `.grad` has a history if the gradient requires grad.",
          [](const Inner& s) {
            const B asked = s.before.tls.grad_mode && !s.before.tls.inference_mode && !kind_of(s.was(s.y)) &&
                            s.machine.requires_grad(s.y);
            return implied(takes(s) && asked, s.is(s.fresh.tensor).meta.has_grad_fn);
          }},
    Claim{kGradient, "own-memory", "A new `.grad` shares memory with no other tensor.",
          [](const Inner& s) {
            const B shares = s.is(s.fresh.tensor).storage == s.was(s.t).storage;
            return implied(s.is(s.fresh.tensor).live && s.was(s.t).live, !shares);
          }},
    Claim{kGradient, "kind-by-mode",
          "A new `.grad` is an inference tensor exactly when backward runs in inference mode.",
          [](const Inner& s) {
            const Object<S> made = s.is(s.fresh.tensor);
            return implied(made.live, kind_of(made) == s.before.tls.inference_mode);
          }},
    Claim{kApply, "a-dirty-write-counts", "A dirty input that is a normal tensor has its version bumped by one.",
          [](const Inner& s) {
            const CounterId<S> counter = s.was(s.x).counter;
            const Num<S> moved = s.machine.heap.counters.at(counter).version - s.before.counters.at(counter).version;
            return implied(!kind_of(s.was(s.x)), moved == select(s.wrapping.dirty, Num<S>(1), Num<S>(0)));
          }},
    Claim{kApply, "immutability", "A dirty input is no inference tensor outside inference mode, or an error is raised.",
          [](const Inner& s) {
            return implied(s.wrapping.dirty && kind_of(s.was(s.x)) && s.machine.ok(), s.before.tls.inference_mode);
          }},
    Claim{kApply, "dirty-leaves-raise",
          "A recorded apply raises an error for a dirty leaf that requires grad and for a dirty view that a recorded "
          "in-place op may not write.",
          [](const Inner& s) {
            const Object<S> x = s.was(s.x);
            const B leaf = x.meta.requires_grad && !x.meta.has_grad_fn && !kind_of(x);
            const B marked = x.unrecorded || x.one_of_many;
            return implied(s.machine.recorded && s.wrapping.dirty, !leaf && !marked);
          }},
    Claim{kApply, "what-is-not-recorded-needs-no-gradient",
          "Outside inference mode, a normal tensor that apply does not record requires no grad when it is returned.",
          [](const Inner& s) {
            const B viewed = s.is(s.fresh.tensor).live;
            const B needs = select(viewed, s.machine.requires_grad(s.fresh.tensor), s.machine.requires_grad(s.x));
            return implied(s.machine.ok() && !s.machine.recorded && !s.was(s.x).meta.tracked &&
                               !s.before.tls.inference_mode && !kind_of(s.was(s.x)),
                           !needs);
          }},
    Claim{kApply, "a-returned-input-is-a-view",
          "If forward returns an input that is not dirty, apply returns another tensor, unless that input requires no "
          "grad.",
          [](const Inner& s) {
            return implied(s.machine.ok() && s.wrapping.input && !s.wrapping.dirty, s.is(s.fresh.tensor).live);
          }},
    Claim{kApply, "results-are-returned", "A tensor that is no input is returned itself.",
          [](const Inner& s) { return implied(s.machine.ok() && !s.wrapping.input, !s.is(s.fresh.tensor).live); }},
    Claim{kApply, "dirty-inputs-are-returned",
          "A dirty input is returned itself, with its creation metadata, unless it requires grad and apply does not "
          "record it.",
          [](const Inner& s) {
            const B itself = s.machine.recorded || !s.machine.requires_grad(s.x);
            return implied(s.machine.ok() && s.wrapping.input && s.wrapping.dirty && itself,
                           !s.is(s.fresh.tensor).live && s.is(s.x).meta.creation == s.was(s.x).meta.creation);
          }},
    Claim{kApply, "unrecorded-raises-nothing", "An apply that is not recorded raises no error for clean tensors.",
          [](const Inner& s) { return implied(!s.wrapping.recorded && !s.wrapping.dirty, s.machine.ok()); }},
    Claim{kApply, "views-are-marked", "A view that apply returns cannot be written by a recorded op.",
          [](const Inner& s) {
            const Object<S> out = select(s.is(s.fresh.tensor).live, s.is(s.fresh.tensor), s.is(s.x));
            const B plain = out.meta.creation == Choice<S, CreationMeta>(CreationMeta::DEFAULT);
            return implied(s.machine.ok() && out.meta.tracked && !(s.wrapping.input && s.wrapping.dirty), !plain);
          }},
};

/// A clause that a step breaks, why, and the premise under which it keeps the clause.
struct InnerBreach {
  std::size_t kind;
  std::string_view clause;
  std::string_view because;
  std::string_view unless;
  B (*premise)(const Inner& s);
};
constexpr std::array kInnerBreaches{
    InnerBreach{
        kApply, "inference-has-no-history",
        "AUT-46: apply asks for grad mode alone, so with enable_grad in inference mode an inference tensor gets a "
        "history",
        "outside inference mode", [](const Inner& s) { return !s.before.tls.inference_mode && !kind_of(s.was(s.x)); }},
    InnerBreach{kApply, "not-stale",
                "AUT-46: apply gives a tensor a history without a version bump, so a view of it that forward made and "
                "that is alive does not learn of that history",
                "if no other tensor of its family is alive",
                [](const Inner& s) {
                  const auto alone = [&](T of) {
                    return !s.was(of).live || of == s.x || !(s.was(of).family == s.was(s.x).family);
                  };
                  return s.wrapping.dirty || (alone(s.t) && alone(s.u) && s.was(s.x).family == s.x);
                }},
};

/// A profile that breaks a claim, because of a rule's variant.
struct InnerDeparture {
  std::string_view names;  ///< with a space around each
  Profile profile;
  std::string_view reason;
};
constexpr std::string_view kStored = "AUT-50: it may be the gradient that arrives, with its memory";
constexpr std::string_view kStoredKind = "AUT-60: it may be the gradient that arrives, of either kind";
constexpr std::string_view kDetachCounter =
    "VER-06: outside inference mode, detach of an inference tensor has a version counter";
constexpr std::string_view kNoView = "VIEW-01: inside inference mode no view is tracked";
constexpr std::array kInnerDepartures{
    InnerDeparture{" gradient.own-memory ", Profile::torch_1_13, kStored},
    InnerDeparture{" gradient.own-memory ", Profile::torch_2_13, kStored},
    InnerDeparture{" gradient.kind-by-mode ", Profile::torch_1_13, kStoredKind},
    InnerDeparture{" gradient.kind-by-mode ", Profile::torch_2_13, kStoredKind},
    InnerDeparture{" gradient.counted custom-function.counted ", Profile::torch_1_13, kDetachCounter},
    InnerDeparture{" gradient.counted custom-function.counted ", Profile::torch_2_13, kDetachCounter},
    InnerDeparture{" custom-function.unrecorded-raises-nothing ", Profile::draft_1,
                   "INF-17: a view op on an inference tensor outside inference mode is an error"},
    InnerDeparture{" custom-function.dirty-inputs-are-returned ", Profile::torch_1_13,
                   "AUT-43: an apply that is not recorded returns a view of a dirty input"},
    InnerDeparture{" custom-function.views-tracked custom-function.unrecorded-is-marked ", Profile::draft_2, kNoView},
    InnerDeparture{" custom-function.immutability ", Profile::draft_2,
                   "INF-05: an inference tensor may be written outside inference mode"},
};

}  // namespace

std::vector<Obligation> backward_obligations() {
  std::vector<Obligation> all;
  const auto add = [&all](const Kind& kind, std::string_view name, std::string sentence,
                          std::function<Question(const Judge<S>&)> build) {
    Obligation one{std::string(kind.name) + "." + std::string(name), std::move(sentence), std::move(build)};
    for (const InnerDeparture& departure : kInnerDepartures)
      if (departure.names.find(" " + one.name + " ") != std::string_view::npos)
        one.except.push_back({departure.profile, departure.reason});
    all.push_back(std::move(one));
  };
  for (std::size_t k = 0; k < kKinds.size(); ++k)
    for (const Clause<S>& clause : clauses<S>()) {
      const Kind& kind = kKinds.at(k);
      const std::string sentence = std::string(kind.sentence) + " " + std::string(clause.sentence);
      const auto build = [&kind, clause](const Judge<S>& judge) {
        const InnerStart& start = inner_start(judge, kind);
        return inner_claim(start, clause.holds(judge, start.step.machine.heap, start.step.t, start.step.u));
      };
      add(kind, clause.name, sentence, build);
      for (const InnerBreach& breach : kInnerBreaches) {
        if (breach.kind != k || breach.clause != clause.name) continue;
        all.back().expected = Verdict::refuted;
        all.back().because = breach.because;
        add(kind, std::string(clause.name) + "-otherwise", sentence + " This holds " + std::string(breach.unless) + ".",
            [build, &kind, &breach](const Judge<S>& judge) {
              return build(judge).given(breach.premise(inner_start(judge, kind).step));
            });
      }
    }
  for (const Claim& claim : kClaims)
    add(kKinds.at(claim.kind), claim.name, std::string(claim.sentence), [claim](const Judge<S>& judge) {
      const InnerStart& start = inner_start(judge, kKinds.at(claim.kind));
      return inner_claim(start, claim.holds(start.step));
    });
  return all;
}

}  // namespace plumbline::proofs
