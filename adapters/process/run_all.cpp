// Running many scripts one by one, on an adapter that has no better way.
#include "adapters/adapter.h"

namespace plumbline {

std::vector<RunResult> Adapter::run_all(std::span<const Script> scripts) {
  std::vector<RunResult> results;
  results.reserve(scripts.size());
  for (const Script& script : scripts) results.push_back(run(script));
  return results;
}

}  // namespace plumbline
