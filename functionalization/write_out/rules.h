// The evidence for each rule of functionalization: curated programs that fail, and bodies that differ, if it is
// misread.
#pragma once

#include <string>
#include <vector>

#include "functionalization/write_out/transform.h"
#include "language/curated.h"

namespace plumbline::functionalize {

/// The evidence for one rule.
struct RuleShown {
  const Rule* rule = nullptr;
  std::vector<std::string> programs;  ///< curated programs: "test_chains.py::test_a_write_through_two_views"
  std::vector<std::string> fallen;    ///< those that fail if it is misread
  std::uint64_t bodies = 0;           ///< random bodies that differ if it is misread
  std::string out_of_reach;           ///< why no body can differ
};

/// Whether a program fails if the rule is misread by the passes, which write its bodies out, or by the machine, which
/// runs the bodies unchanged.
bool falls(const program::Test& test, const Rule& misread);

/// The evidence for each rule of functionalization, from these programs and this many random bodies.
std::vector<RuleShown> rules_shown(const std::vector<CuratedTest>& programs, std::uint64_t bodies, std::uint64_t seed);

/// The command `plumbline validate --rules`, with its options as parsed.
struct RulesOptions {
  std::string corpus;
  std::uint64_t bodies = 0;
  std::uint64_t seed = 1;
  std::string json;    ///< a file; - is stdout
  bool asked = false;  ///< whether the option was given
  bool quiet = false;  ///< print only the rules that nothing notices, and the last line
};

/// Prints a line for each rule, and returns the exit code: 1 if no program or no body notices a misreading that it
/// should. Throws as `load_curated` does.
int rules_command(const RulesOptions& options);

}  // namespace plumbline::functionalize
