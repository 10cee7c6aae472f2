// Running tests on implementations, by several workers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/programs.h"
#include "oracle/report/report.h"

namespace plumbline::cli {

struct Plan {
  std::vector<std::string> on;  ///< as given to `--on`
  AdapterOptions options;       ///< for every adapter; only the reference uses profile and flip
  /// The profile of the reference that the others are compared with; empty: the profile that each one names.
  std::string compare_profile;
  unsigned jobs = 1;
  bool quiet = false;  ///< show no progress
  /// Makes a worker's adapters; tests replace it.
  std::function<std::unique_ptr<Adapter>(const std::string&, const AdapterOptions&)> make = make_adapter;
};

/// Runs every test on every implementation, and compares the run with the test's expectations and (except for the
/// reference itself) with the reference. The results do not depend on `jobs`. Throws std::runtime_error if an adapter
/// cannot be made. Ends early on Ctrl-C.
RunReport run_tests(const std::vector<LoadedTest>& tests, const Plan& plan);

}  // namespace plumbline::cli
