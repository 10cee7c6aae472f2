// Planting faults in operators of PyTorch, and sweeping over them.
#pragma once

#include <string>

namespace plumbline::sweep {

struct SelftestOptions {
  unsigned jobs = 1;
  std::string json;  ///< "-": stdout; empty: none
};

/// Sweeps over the operators of sweep/selftest/faults.py. 0: each fault is reported under the law that its name ends
/// with and under no other, and the operators without a fault are silent. 1: not so. Throws std::runtime_error if the
/// build has no PyTorch.
int run_selftest(const SelftestOptions& options);

}  // namespace plumbline::sweep
