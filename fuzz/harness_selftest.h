// Self-tests that plant faults in the sources: in the harness, and in everything that it checks.
#pragma once

#include <string>

namespace plumbline::fuzz {

struct HarnessSelftestOptions {
  unsigned jobs = 1;
  std::string json;  ///< "-": stdout; empty: none
};

/// Plants each fault of mutation/harness_faults.json in a copy of its source, builds harness_test with it beside
/// the tree, and runs it. 0: each is caught. The exit codes are those of `plumbline mutate`.
int run_harness_selftest(const HarnessSelftestOptions& options);

/// Plants each fault of mutation/hostile_faults.json: in the optimized runtime, the reference, the rules, the
/// comparison, the generator and the proofs. Each meets, one after the other, what suits its area, until something
/// catches it. The same exit codes.
int run_hostile_selftest(const HarnessSelftestOptions& options);

}  // namespace plumbline::fuzz
