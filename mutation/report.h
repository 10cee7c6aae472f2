// The report of a run over mutants: a line for each, and the counts.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mutation/hunter.h"
#include "mutation/sites.h"

namespace plumbline::mutate {

/// The share of mutants without a written reason that must be killed.
inline constexpr double kShare = 0.95;

/// How a mutant is counted. The last four are no mutants.
enum class Outcome : std::uint8_t {
  killed,
  explained,  ///< it survives; survivors.json says why
  survived,
  undecided,  ///< a step failed by itself
  not_compiled,
  same_code,  ///< it compiles to the same code
  not_run     ///< the run was interrupted
};
std::string_view name_of(Outcome outcome);

struct Mutant {
  Site site;
  Outcome outcome = Outcome::not_run;
  Fate fate;
  std::string why;     ///< the compiler's error, or survivors.json's reason
  std::string driver;  ///< the path of a survivor's driver
  double build_s = 0, hunt_s = 0;
};

struct Report {
  std::vector<Mutant> mutants;  ///< in source order
  std::size_t wanted = 0;
  std::size_t sites = 0;           ///< the number of sites that may be chosen
  std::size_t left_out_sites = 0;  ///< the number of sites that left_out.json excludes
  std::uint64_t seed = 0;
  double least = kShare;            ///< the share that must be killed
  double seconds = 0;               ///< the run's time
  std::vector<std::string> notes;   ///< steps that were left out, files that are not in the driver
  std::vector<std::string> stale;   ///< entries that explain nothing
  std::vector<std::string> failed;  ///< errors that ended the run early
  bool interrupted = false;

  std::map<Outcome, std::size_t> counts() const;
  /// The killed share of the mutants without a written reason; 1 if there are none.
  double share() const;
  /// 0: the share is reached; 1: it is not, or an entry is stale; 3: a step failed by itself; 4: there was no mutant;
  /// 130: interrupted.
  int exit_code() const;
};

std::string line_of(const Mutant& mutant);
/// The text after the mutants' lines; its last line has the counts.
std::string closing_text(const Report& report);
nlohmann::ordered_json json_of(const Report& report);

}  // namespace plumbline::mutate
