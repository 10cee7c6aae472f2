// What a run of the mutants tells: a line each, what no obligation meets, and the counts.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oracle/prove/mutants_branches.h"
#include "oracle/prove/mutants_hunt.h"
#include "oracle/prove/mutants_survivors.h"

namespace plumbline::mutants {

/// How a mutant is counted.
enum class Kind : std::uint8_t {
  killed,       ///< by a proof
  falls,        ///< by no proof; a program shows it
  misreading,   ///< it changes what a misreading is, and nothing else: shown with that rule flipped
  explained,    ///< by neither; survivors.json says why
  unexplained,  ///< by neither
  undecided,    ///< the solver did not decide, and nothing else shows it
  not_run       ///< the run was interrupted
};
std::string_view name_of(Kind kind);

struct Mutant {
  const Place* place = nullptr;
  Fate fate;
  std::string reason;  ///< survivors.json's

  Kind kind() const;
};

/// A side of a select that nothing reaches, or a judge's call that nothing meets.
struct Unreached {
  std::string where;   ///< "spec/rules/inf.h:212:47"
  std::string what;    ///< "its condition is never true", "INF-03 is never asked"
  std::string reason;  ///< survivors.json's; empty: a failure
};

struct Report {
  std::vector<Mutant> mutants;  ///< in the order of the source
  std::size_t mutants_in_all = 0;
  std::size_t sites = 0;  ///< a site of a judge has up to two mutants
  std::size_t selects = 0, both_by_obligations = 0, both_at_all = 0;
  std::vector<std::string> without_obligation;  ///< judge's calls: place, rule and the programs that meet it
  std::vector<Unreached> unreached;
  std::vector<std::string> mistakes;  ///< baselines that are not as expected
  std::vector<std::string> stale;     ///< entries of survivors.json that explain nothing
  bool branches_asked = false;
  bool interrupted = false;

  std::map<Kind, std::size_t> counts() const;
  /// 0 all is shown or explained, 1 not, 3 the solver failed, 4 no mutant was chosen, 130 interrupted.
  int exit_code() const;
};

std::string line_of(const Mutant& mutant);
/// What follows the mutants' lines; its last line counts.
std::string closing_text(const Report& report);
nlohmann::ordered_json json_of(const Report& report);
/// Of each rule the mutants of the judge's calls and functions that ask it, counted by kind, as docs/RULES.md shows
/// them:
/// {"how": {…}, "rules": {"INF-03": {"mutants": 9, "killed": 7, "falls": 1, …}, …}}. For a run over all mutants.
nlohmann::ordered_json by_rule_json(const Report& report);

}  // namespace plumbline::mutants
