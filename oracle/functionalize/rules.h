// What shows each rule of functionalization: curated programs that fall, and bodies that differ, where it is misread.
#pragma once

#include <string>
#include <vector>

#include "oracle/curated.h"
#include "oracle/functionalize/transform.h"

namespace plumbline::functionalize {

/// What is known of one rule.
struct RuleShown {
  const Rule* rule = nullptr;
  std::vector<std::string> programs;  ///< curated ones that name it: "test_chains.py::test_a_write_through_two_views"
  std::vector<std::string> fallen;    ///< those of them that fall where it is misread
  std::uint64_t bodies = 0;           ///< random ones that differ where it is misread
  std::string out_of_reach;           ///< why no body can
};

/// Whether a program fails where the rule is misread: by the passes, which write its bodies out, or by the machine,
/// which runs them as they are.
bool falls(const program::Test& test, const Rule& misread);

/// Each rule of functionalization, on these programs and on so many random bodies.
std::vector<RuleShown> rules_shown(const std::vector<CuratedTest>& programs, std::uint64_t bodies, std::uint64_t seed);

/// The command `plumbline validate --rules`, with its options as parsed.
struct RulesOptions {
  std::string corpus;
  std::uint64_t bodies = 0;
  std::uint64_t seed = 1;
  std::string json;    ///< a file; - is stdout
  bool asked = false;  ///< the option stands there
};

/// Prints a line for each rule, and returns the exit code: 1 where a program or a body should tell and none does.
/// Throws as `load_curated`.
int rules_command(const RulesOptions& options);

}  // namespace plumbline::functionalize
