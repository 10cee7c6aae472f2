// A run over the mutants of rules: which are chosen, and the report.
#pragma once

#include <string>

#include "oracle/prove/mutants_report.h"

namespace plumbline::mutants {

struct Options {
  std::string source;      ///< the folder of the project, whose rules' text names the mutants
  std::string corpus;      ///< the curated programs
  std::string survivors;   ///< the list of survivors with reasons
  std::string rule;        ///< "INF-03": mutants in the functions that ask it; empty: of all
  std::string file;        ///< "inf.h", "spec/rules/inf.h": mutants in it; empty: in all
  std::size_t sample = 0;  ///< so many, chosen by `seed` from their text; 0: all
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  bool programs = false;  ///< run programs for the killed ones, too
  bool branches = true;   ///< and see that branches are reached; not with a sample
};

/// The mutants that the options choose, in the order of the source. Throws std::runtime_error for a rule or a file that
/// has none.
std::vector<const Place*> chosen(const Suite& suite, const Options& options);

/// Throws std::runtime_error (usage) for what cannot be read.
Report run(const Suite& suite, const Options& options, Survivors survivors);

/// Files to which a report goes; empty: it does not.
struct Outputs {
  std::string json;     ///< the whole report; "-": stdout, in place of the text
  std::string by_rule;  ///< the counts of each rule; only of a run over all mutants
};

/// The whole: the suite, the report printed and written. Returns the exit code. Throws std::runtime_error (usage).
int run_and_print(const Options& options, const Outputs& outputs);

}  // namespace plumbline::mutants
