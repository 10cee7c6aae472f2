// Finding the curated programs that fail when a rule is wrong.
#include "prove/fallen.h"

#include <algorithm>

namespace plumbline::prove {

std::vector<FallenProgram> fallen_programs(const reference::Judge& judge, const std::string& corpus) {
  std::vector<FallenProgram> fallen;
  for (const CuratedProgram& program : load_programs(corpus))
    if (std::string failure = failure_of(program, judge); !failure.empty())
      fallen.push_back({program.name, std::move(failure), source_of(program, corpus), program.test.rules});
  return fallen;
}

const FallenProgram* closest(std::span<const FallenProgram> fallen, std::span<const std::string> rules) {
  const FallenProgram* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const FallenProgram& one : fallen) {
    const auto named = std::ranges::count_if(
        one.rules, [&](const std::string& rule) { return std::ranges::find(rules, rule) != rules.end(); });
    const bool shorter = best != nullptr && named == most && one.source.size() < best->source.size();
    if (named < most || named == 0 || (named == most && !shorter)) continue;
    best = &one;
    most = named;
  }
  return best;
}

}  // namespace plumbline::prove
