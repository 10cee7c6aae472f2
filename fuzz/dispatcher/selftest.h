// `plumbline selftest --dispatcher`: a dispatcher that misreads one rule, and whether programs notice.
#pragma once

#include <cstdint>
#include <string>

namespace plumbline::fuzz {

struct DispatchSelftestOptions {
  std::uint64_t programs = 20000;  ///< the maximum number of generated programs for each fault
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::string corpus;  ///< the folder of the curated programs about the dispatcher
  std::string json;
};

/// Plants each fault in the reference and sees it caught, by generated programs alone and by the curated programs
/// alone. Returns the exit code.
int run_dispatch_selftest(const DispatchSelftestOptions& options);

}  // namespace plumbline::fuzz
