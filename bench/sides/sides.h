// The sides that a case may have: ours, LibTorch's, and the floor.
#pragma once

#include <memory>
#include <string>

#include "bench/rows.h"
#include "bench/workload.h"

namespace plumbline::bench {

/// Who makes a case's call, and how.
struct Side {
  std::string name;  ///< "ours", "libtorch" or "floor"
  /// Null if the side does not have the case.
  std::unique_ptr<Workload> (*make)(const Case& one) = nullptr;
  /// Sets how many threads an op may use inside.
  void (*use_threads)(int count) = nullptr;
  /// Gives memory that it keeps for reuse back to the system.
  void (*trim)() = nullptr;
};

Side ours();
Side libtorch();
/// Prototypes that do only what the semantics force: no dispatch, no checks, memory from our pool.
Side floors();

}  // namespace plumbline::bench
