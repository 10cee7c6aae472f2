// `plumbline selftest --functionalize`: a functionalizer that misreads one rule, and whether validation notices.
#pragma once

#include <cstdint>
#include <string>

namespace plumbline::fuzz {

struct FunctionalizeSelftestOptions {
  std::uint64_t programs = 20000;  ///< the maximum number of bodies for each fault, and for the run without a fault
  std::uint64_t seed = 1;
  std::string json;
};

/// Plants each fault, after a run without one. Returns the exit code.
int run_functionalize_selftest(const FunctionalizeSelftestOptions& options);

}  // namespace plumbline::fuzz
