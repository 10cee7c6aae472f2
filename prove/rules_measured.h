// The contents of docs/measured/ for the table of rules: results of long runs, and why cells are empty.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "prove/rules_reasons.h"
#include "spec/proofs/obligation.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::prove {

/// A missing or malformed file of docs/measured/: the file, the key, what is wrong and what to do.
struct MeasuredError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a file was made, according to itself: "command", "date", … and their values.
using How = std::vector<std::pair<std::string, std::string>>;

/// The solver's verdicts on one obligation.
struct MeasuredProof {
  std::array<proofs::Verdict, kProfiles.size()> verdicts{};  ///< by profile
  std::array<bool, kProfiles.size()> vacuous{};
};

/// In how many generated programs the misreading of a rule shows; if in none, why no program can show it, if known.
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

/// The results for the mutants in the functions that ask a rule. Proofs are tried before programs.
struct MeasuredMutants {
  std::int64_t mutants = 0;
  std::int64_t killed = 0;      ///< by a proof
  std::int64_t falls = 0;       ///< only by a program
  std::int64_t misreading = 0;  ///< change only the misreading
  std::int64_t explained = 0;   ///< survive, with a reason in spec/proofs/survivors.json
  std::int64_t open() const { return mutants - killed - falls - misreading - explained; }  ///< survive without a reason
};

/// The obligations that ask a rule when it is misread.
struct MeasuredFlip {
  std::int64_t asked = 0;           ///< how many asked it
  std::vector<std::string> fallen;  ///< the names of those that failed
};

/// How many programs that name a rule have each verdict.
using MeasuredVerdicts = std::map<std::string, std::int64_t>;

/// The columns that are empty if no obligation asks a rule: their reason is one of a closed list.
inline constexpr std::array<std::string_view, 2> kUnprovedColumns{"obligations", "vacuity"};

/// Why the cells of these rules in these columns are empty.
struct Reason {
  std::vector<std::string> rules, columns;
  std::string reason;                ///< as the pages show it
  std::optional<Unproved> unproved;  ///< from the closed list; null: a free sentence about other columns
};

struct Measured {
  std::map<std::string, How> how;               ///< by file
  std::map<std::string, MeasuredProof> proofs;  ///< by obligation
  MeasuredFuzzing tensors, dispatcher, transforms;
  MeasuredFuzzing functionalize;                                                          ///< for validated bodies
  std::map<std::string, MeasuredFlip> flips;                                              ///< by rule
  std::map<std::string, MeasuredMutants> mutants;                                         ///< by rule
  std::vector<std::pair<std::string, std::map<std::string, MeasuredVerdicts>>> verdicts;  ///< by implementation, rule
  std::vector<Reason> reasons;
};

/// The words that verdicts.json may use, in the order of a cell.
inline constexpr std::array<std::string_view, 7> kVerdictWords{"pass",        "unspecified", "departs",      "waived",
                                                               "unsupported", "divergent",   "harness-error"};

/// Reads proofs.json, flips.json, fuzz.json, mutants.json, verdicts.json and reasons.json of a folder. Throws
/// MeasuredError.
Measured read_measured(const std::string& folder);

}  // namespace plumbline::prove
