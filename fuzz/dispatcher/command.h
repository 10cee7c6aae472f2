// `plumbline fuzz --dispatcher` and `plumbline selftest --dispatcher`.
#pragma once

#include <string>
#include <vector>

#include "fuzz/dispatcher/campaign.h"

namespace plumbline::fuzz {

struct DispatchFuzzOptions {
  std::vector<std::string> on;
  std::string profile;  ///< empty: each implementation's own
  std::string flip;     ///< a rule that the reference misreads
  std::uint64_t programs = 1000;
  double seconds = 0;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  double timeout_s = 10;
  std::int64_t memory_limit_mib = kMemoryLimit_mib;
  std::string out;       ///< a folder for reproducers; empty: none are written
  std::string json;      ///< a file, "-" for stdout, empty for none
  std::string replay;    ///< SEED:INDEX
  bool first = false;    ///< end with the first failure, and do not shrink it
  bool quiet = false;    ///< print only what failed and the last line
  bool verbose = false;  ///< print everything, not only what fits one screen
};

/// Returns the exit code.
int run_dispatch_fuzz(const DispatchFuzzOptions& options);

struct DispatchSelftestOptions {
  std::string on;  ///< the implementation in which the faults are planted: the reference under a misread rule
  std::uint64_t programs = 20000;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::string corpus;  ///< the folder of the curated programs about the dispatcher
  std::string json;
};

/// Plants each fault and sees it caught, by generated programs alone and by the curated programs or LibTorch's tables.
int run_dispatch_selftest(const DispatchSelftestOptions& options);

}  // namespace plumbline::fuzz
