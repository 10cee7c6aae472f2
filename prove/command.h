// `plumbline prove`: proves every obligation in a profile, and shows each refutation by a program.
#pragma once

#include <string>
#include <vector>

#include "spec/proofs/prove.h"
#include "support/screen.h"

namespace plumbline::prove {

struct ProveCommand {
  std::string profile = "sound";
  std::string only;  ///< prove obligations whose name contains this; empty: all
  std::string flip;  ///< a rule to misread; "all": each in turn, asking only the obligations that ask it
  std::string solver = "z3";
  std::string smt2;  ///< a folder for SMT-LIB files; empty: none
  std::string json;  ///< a file, "-" for stdout, empty for none
  std::uint64_t resource_limit = proofs::kResourceLimit;
  unsigned jobs = 1;  ///< threads that ask Z3, or processes of the second solver
  bool programs = true;
  std::string corpus;                ///< the folder of the curated programs; empty: do not use them
  bool verbose = false;              ///< print each obligation, and the counterexamples of expected refutations
  bool quiet = false;                ///< print only what is not as expected, and the last line
  std::size_t lines = kScreenLines;  ///< without `verbose`, the most lines to print
};

/// The ids of these rules, in the order of the catalogue.
std::vector<std::string> rule_ids(const std::bitset<Rule::kIndices>& rules);

/// The exit code: 0 every verdict is as expected, 1 one is not, 2 wrong usage, 3 a solver failed or gave
/// up, 130 interrupted: what is proved is printed.
int prove_command(const ProveCommand& command);

}  // namespace plumbline::prove
