// The self-test of the harness: whether its own tests catch planted faults.
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

}  // namespace plumbline::fuzz
