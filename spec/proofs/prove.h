// Proves obligations: one question to the solver for each, and one that asks whether its premises can hold.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "spec/proofs/obligation.h"
#include "spec/proofs/solver.h"

namespace plumbline::proofs {

/// The result of one obligation.
struct Proof {
  const Obligation* obligation = nullptr;
  Verdict verdict = Verdict::unknown;
  Verdict expected = Verdict::proved;
  bool vacuous = false;               ///< no values satisfy its premises, so the verdict says nothing
  std::bitset<Rule::kIndices> rules;  ///< the rules that it consulted
  std::string why;                    ///< if unknown
  std::vector<std::pair<std::string, std::string>> counterexample;  ///< if refuted: the shown values, by name
  std::uint64_t resources = 0;
  double milliseconds = 0;

  bool as_expected() const { return verdict == expected && !vacuous; }
};

struct ProveOptions {
  Profile profile = Profile::sound;
  const Rule* flipped = nullptr;
  std::uint64_t resource_limit = kResourceLimit;
  bool vacuity = true;
};

/// A judge for such a run, which records consulted rules in `decisions`.
Judge<Symbolic> judge_of(const ProveOptions& options, Decisions& decisions);

Proof prove(const Obligation& obligation, const ProveOptions& options);
/// The same for a question that is already built (a mutant's); the proof's rules stay empty.
Proof prove_question(const Obligation& obligation, const Question& question, const ProveOptions& options);

/// The obligation's question as an SMT-LIB file; the status is that of the expected verdict in the profile.
std::string smtlib_of(const Obligation& obligation, const ProveOptions& options);

}  // namespace plumbline::proofs
