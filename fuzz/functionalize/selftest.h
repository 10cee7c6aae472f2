// `plumbline selftest --functionalize`: a functionalizer that misreads one rule, and whether validation tells.
#pragma once

#include <cstdint>
#include <string>

namespace plumbline::fuzz {

struct FunctionalizeSelftestOptions {
  std::uint64_t programs = 20000;  ///< at most so many bodies for each fault, and without one
  std::uint64_t seed = 1;
  std::string json;
};

/// Plants each fault, and first none. Returns the exit code.
int run_functionalize_selftest(const FunctionalizeSelftestOptions& options);

}  // namespace plumbline::fuzz
