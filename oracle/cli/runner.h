// Running tests on implementations, by several workers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oracle/cli/programs.h"
#include "oracle/report/report.h"

namespace plumbline::cli {

struct Plan {
  std::vector<std::string> on;  ///< as given to `--on`
  AdapterOptions options;       ///< of every adapter; profile and flip are the reference's
  /// The profile of the reference with which the others are compared; empty: each one's own.
  std::string compare_profile;
  unsigned jobs = 1;
  /// How each worker gets its adapters; tests have theirs.
  std::function<std::unique_ptr<Adapter>(const std::string&, const AdapterOptions&)> make = make_adapter;
};

/// Runs every test on every implementation: holds it against the test's expectations and, but for the reference itself,
/// against the reference. The results do not depend on `jobs`. Throws std::runtime_error where an implementation
/// cannot be had. Ends early on Ctrl-C.
RunReport run_tests(const std::vector<LoadedTest>& tests, const Plan& plan);

}  // namespace plumbline::cli
