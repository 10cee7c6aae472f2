// A run over the mutants of rules: its options and its report.
#pragma once

#include <string>

#include "mutation/rules/report.h"

namespace plumbline::mutants {

struct Options {
  std::string source;      ///< the project's folder; its source text names the mutants
  std::string corpus;      ///< the curated programs
  std::string survivors;   ///< the list of survivors with reasons
  std::string rule;        ///< "INF-03": mutants in the functions that ask it; empty: all
  std::string file;        ///< "inf.h", "spec/rules/inf.h": mutants in it; empty: in all
  std::size_t sample = 0;  ///< the number of mutants, chosen by `seed` and their text; 0: all
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  bool programs = false;  ///< also run programs for killed mutants
  bool branches = true;   ///< check that branches are reached; not for a sample
};

/// The mutants that the options choose, in source order. Throws std::runtime_error for a rule or a file without
/// mutants.
std::vector<const Place*> chosen(const Suite& suite, const Options& options);

/// Throws std::runtime_error (usage) if a file cannot be read.
Report run(const Suite& suite, const Options& options, Survivors survivors);

/// The files that a report is written to; empty: none.
struct Outputs {
  std::string json;     ///< the whole report; "-": to stdout, instead of the text
  std::string by_rule;  ///< the counts of each rule; only for a run over all mutants
};

/// Builds the suite, runs it, and prints and writes the report. Returns the exit code. Throws std::runtime_error
/// (usage).
int run_and_print(const Options& options, const Outputs& outputs);

}  // namespace plumbline::mutants
