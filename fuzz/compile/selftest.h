// `plumbline selftest --compile`: a backend of torch.compile with planted faults, and whether fuzzing catches each one.
#pragma once

#include <cstdint>
#include <string>

namespace plumbline::fuzz {

struct CompileSelftestOptions {
  std::uint64_t programs = 20000;  ///< the maximum number of generated programs for each fault
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::string json;
};

/// Runs generated programs on a toy backend with each fault (adapters/python/paths/toy.py) until one diverges that does
/// not diverge on the backend without a fault. Returns the exit code: 0 if every fault is caught.
int run_compile_selftest(const CompileSelftestOptions& options);

}  // namespace plumbline::fuzz
