// Obligations: named claims about the rules, with the expected verdict in each profile.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/proofs/symbolic.h"
#include "spec/rules/rule.h"

namespace plumbline::proofs {

enum class Verdict : std::uint8_t {
  proved,   ///< no values satisfy the premises and violate the claim
  refuted,  ///< some values do, and they are shown
  unknown   ///< the solver gave up; never counted as one of the others
};

/// One value that a counterexample shows.
struct Shown {
  std::string name;
  Term term;
  bool keys = false;  ///< a key set: print its keys
};

/// A claim about rules, for all values of its variables.
struct Question {
  std::vector<Term> premises;
  Term claim;
  std::vector<Shown> shown = {};  ///< what a counterexample prints

  Question& given(const Bool<Symbolic>& premise) {
    premises.push_back(premise.v.t);
    return *this;
  }
  Question& show(std::string name, Term term) {
    shown.push_back({std::move(name), term});
    return *this;
  }
  Question& show(std::string name, const Bool<Symbolic>& value) { return show(std::move(name), value.v.t); }
  Question& show(std::string name, const Num<Symbolic>& value) { return show(std::move(name), value.v.t); }
  template <class D>
    requires requires(const D& value) { value.has_any(value); }
  Question& show(std::string name, const D& keys) {
    shown.push_back({std::move(name), keys.v.t, true});
    return *this;
  }
};
inline Question claim(const Bool<Symbolic>& claim) { return {{}, claim.v.t}; }

/// A profile in which the other verdict is expected, and why.
struct Exception {
  Profile profile;
  std::string_view reason;
};

/// One claim to prove. `build` asks the judge for each decision, so the rules that it consulted are the rules that the
/// obligation depends on. It builds a new question for each profile, flip and mutant.
struct Obligation {
  std::string name;      ///< "heap.no-aliasing.view": group, claim, subject
  std::string sentence;  ///< the claim in one plain sentence
  std::function<Question(const Judge<Symbolic>&)> build;
  Verdict expected = Verdict::proved;  ///< in every profile that `except` does not list
  std::vector<Exception> except = {};  ///< the profiles with the other verdict
  std::string_view because = {};       ///< if `expected` is refuted: why
  /// If the refutation must be a certain one: the values that its shown terms must have, as SMT-LIB prints them.
  std::vector<std::pair<std::string, std::string>> counterexample = {};

  Verdict expected_of(Profile profile) const {
    for (const Exception& exception : except)
      if (exception.profile == profile) return expected == Verdict::proved ? Verdict::refuted : Verdict::proved;
    return expected;
  }
};

/// The groups of obligations; each has files in this folder.
std::vector<Obligation> key_set_obligations();      ///< layout, effective key set, redispatch
std::vector<Obligation> bit_obligations();          ///< the keys Conjugate and Negative
std::vector<Obligation> guard_obligations();        ///< thread state and guards
std::vector<Obligation> dispatch_obligations();     ///< tables, resolution, fallthrough
std::vector<Obligation> heap_obligations();         ///< the invariants, statement by statement
std::vector<Obligation> backward_obligations();     ///< the same for steps of a backward and of a custom function
std::vector<Obligation> backward_claims();          ///< what backward asks before it starts, and of whom
std::vector<Obligation> reached_obligations();      ///< hooks, and what grad() and retain_grad() keep
std::vector<Obligation> single_rule_obligations();  ///< what one rule decides, for all its arguments
std::vector<Obligation> refinement_obligations();   ///< inference mode against no_grad, sound against ideal
std::vector<Obligation> lemma_obligations();        ///< arithmetic that lenses use
std::vector<Obligation> lens_obligations();         ///< the laws of views
std::vector<Obligation> functional_obligations();   ///< functionalization: the simulation theorem, step by step
std::vector<Obligation> equivalence_obligations();  ///< changes of rules that change nothing

/// All of them, in that order; names are unique.
std::vector<Obligation> all_obligations();

}  // namespace plumbline::proofs
