// What a run over mutants tells: a line for each, and the counts.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oracle/mutate/hunter.h"
#include "oracle/mutate/sites.h"

namespace plumbline::mutate {

/// The share of mutants that must be killed, of those that no written reason explains.
inline constexpr double kShare = 0.95;

/// How a mutant is counted. The last four are no mutants.
enum class Outcome : std::uint8_t {
  killed,
  explained,  ///< it survives; survivors.json says why
  survived,
  undecided,  ///< a step failed by itself
  not_compiled,
  same_code,  ///< the compiler makes the very same code of it
  not_run     ///< the run was interrupted
};
std::string_view name_of(Outcome outcome);

struct Mutant {
  Site site;
  Outcome outcome = Outcome::not_run;
  Fate fate;
  std::string why;     ///< the compiler's error, or survivors.json's reason
  std::string driver;  ///< of one that survives: where it lies
  double build_s = 0, hunt_s = 0;
};

struct Report {
  std::vector<Mutant> mutants;  ///< in the order of the sources
  std::size_t wanted = 0;
  std::size_t sites = 0;           ///< in all, of those that may be chosen
  std::size_t left_out_sites = 0;  ///< and those that left_out.json leaves out
  std::uint64_t seed = 0;
  double least = kShare;            ///< the share that must be killed
  double seconds = 0;               ///< that the run took
  std::vector<std::string> notes;   ///< steps that were left out, files that are not in the driver
  std::vector<std::string> stale;   ///< entries that explain nothing
  std::vector<std::string> failed;  ///< what ended the run early
  bool interrupted = false;

  std::map<Outcome, std::size_t> counts() const;
  /// Killed, of those that no written reason explains; 1 where there are none.
  double share() const;
  /// 0 the share is reached, 1 not, or an entry is stale; 3 a step failed by itself; 4 there was no mutant; 130
  /// interrupted.
  int exit_code() const;
};

std::string line_of(const Mutant& mutant);
/// What follows the mutants' lines; its last line counts.
std::string closing_text(const Report& report);
nlohmann::ordered_json json_of(const Report& report);

}  // namespace plumbline::mutate
