// What docs/measured/ holds for the table of rules: results of runs too long to repeat for it, and why cells are empty.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "spec/profile.h"
#include "spec/proofs/obligation.h"

namespace plumbline::prove {

/// A file of docs/measured/ that is not there, or not as it must be: file, key, what is wrong and what to do.
struct MeasuredError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a file came to be, as it says itself: "command", "date", … and their values.
using How = std::vector<std::pair<std::string, std::string>>;

/// What the solver said of one obligation.
struct MeasuredProof {
  std::array<proofs::Verdict, kProfiles.size()> verdicts{};  ///< by profile
  std::array<bool, kProfiles.size()> vacuous{};
};

/// In how many generated programs the misreading of a rule shows; with none, why none can, where that is known.
struct MeasuredHits {
  std::int64_t hit = 0;
  std::string out_of_reach;
};

/// One run of `plumbline hits`.
struct MeasuredFuzzing {
  std::int64_t programs = 0;
  std::int64_t seed = 0;
  std::map<std::string, MeasuredHits> rules;  ///< by id
};

/// What became of the mutants in the functions that ask a rule. Whether a proof kills one is looked at first.
struct MeasuredMutants {
  std::int64_t mutants = 0;
  std::int64_t killed = 0;      ///< by a proof
  std::int64_t falls = 0;       ///< by a program alone
  std::int64_t misreading = 0;  ///< change only what the misreading would decide
  std::int64_t explained = 0;   ///< survive, with a reason in spec/proofs/survivors.json
  std::int64_t open() const { return mutants - killed - falls - misreading - explained; }  ///< survive without one
};

/// How many of the programs that name a rule have each verdict.
using MeasuredVerdicts = std::map<std::string, std::int64_t>;

/// Why cells are empty: those of these rules in these columns.
struct Reason {
  std::vector<std::string> rules, columns;
  std::string reason;
};

struct Measured {
  std::map<std::string, How> how;               ///< by file
  std::map<std::string, MeasuredProof> proofs;  ///< by obligation
  MeasuredFuzzing tensors, dispatcher;
  MeasuredFuzzing functionalize;                                                          ///< of validated bodies
  std::map<std::string, MeasuredMutants> mutants;                                         ///< by rule
  std::vector<std::pair<std::string, std::map<std::string, MeasuredVerdicts>>> verdicts;  ///< by implementation, rule
  std::vector<Reason> reasons;
};

/// The words that verdicts.json may use, in the order in which a cell has them.
inline constexpr std::array<std::string_view, 7> kVerdictWords{"pass",        "unspecified", "departs",      "waived",
                                                               "unsupported", "divergent",   "harness-error"};

/// Reads proofs.json, fuzz.json, mutants.json, verdicts.json and reasons.json of a folder. Throws MeasuredError.
Measured read_measured(const std::string& folder);

}  // namespace plumbline::prove
