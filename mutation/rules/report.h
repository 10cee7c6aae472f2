// The report of a run of the mutants: a line for each, the calls that no obligation reaches, and the counts.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mutation/rules/branches.h"
#include "mutation/rules/hunt.h"
#include "mutation/rules/survivors.h"

namespace plumbline::mutants {

/// How a mutant is counted.
enum class Kind : std::uint8_t {
  killed,       ///< by a proof
  falls,        ///< by no proof, but by a program
  misreading,   ///< it changes only a misreading: shown with that rule flipped
  explained,    ///< it survives; survivors.json says why
  unexplained,  ///< it survives without a reason
  undecided,    ///< the solver did not decide, and nothing else shows it
  not_run       ///< the run was interrupted
};
std::string_view name_of(Kind kind);

struct Mutant {
  const Place* place = nullptr;
  Fate fate;
  std::string reason;  ///< from survivors.json

  Kind kind() const;
};

/// A side of a select or a judge's call that nothing reaches.
struct Unreached {
  std::string where;   ///< "spec/rules/inf.h:212:47"
  std::string what;    ///< "its condition is never true", "INF-03 is never asked"
  std::string reason;  ///< from survivors.json; empty: a failure
};

struct Report {
  std::vector<Mutant> mutants;  ///< in the order of the source
  std::size_t mutants_in_all = 0;
  std::size_t sites = 0;  ///< a site of a judge has up to two mutants
  std::size_t selects = 0, both_by_obligations = 0, both_at_all = 0;
  std::vector<std::string> without_obligation;  ///< judge's calls: the place, the rule and the programs that reach it
  std::vector<Unreached> unreached;
  std::vector<std::string> mistakes;  ///< baselines that are not as expected
  std::vector<std::string> stale;     ///< entries of survivors.json that explain nothing
  bool branches_asked = false;
  bool interrupted = false;

  std::map<Kind, std::size_t> counts() const;
  /// 0: every mutant is shown or explained, 1: one is not, 3: the solver failed, 4: no mutant was chosen, 130:
  /// interrupted.
  int exit_code() const;
};

std::string line_of(const Mutant& mutant);
/// The text after the mutants' lines; its last line has the counts.
std::string closing_text(const Report& report);
nlohmann::ordered_json json_of(const Report& report);
/// For each rule, the mutants of the judge's calls and functions that ask it, counted by kind, for docs/RULES.md:
/// {"how": {…}, "rules": {"INF-03": {"mutants": 9, "killed": 7, "falls": 1, …}, …}}. For a run over all mutants.
nlohmann::ordered_json by_rule_json(const Report& report);

}  // namespace plumbline::mutants
