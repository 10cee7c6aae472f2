// Hits of generated programs about the dispatcher.
#include "fuzz/hits.h"

#include "fuzz/campaign.h"
#include "fuzz/dispatcher/generate.h"
#include "fuzz/progress.h"
#include "oracle/dispatcher/compare.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"

namespace plumbline::fuzz {

namespace {

bool shows(const DispatchScript& script, const DispatchTrace& right, const reference::Judge& misread) {
  try {
    return dispatcher::compare(script, right, reference::run(misread, script)).has_value();
  } catch (const reference::ReferenceLimit&) {
    return false;
  }
}

}  // namespace

std::vector<Hits> measure_dispatch_hits(const HitOptions& options) {
  std::vector<Hits> all;
  for (const Rule* rule : kDispatchRules) all.push_back({rule, 0, 0, 0, std::nullopt});
  for (const Rule* rule : kRules)
    if (rule->family == Family::KEY || rule->family == Family::TLS) all.push_back({rule, 0, 0, 0, std::nullopt});
  const reference::Judge judge{.profile = options.profile};
  const std::array profiles{options.profile};
  Progress progress("hits", options.programs, 0);
  for (std::uint64_t index = 0; index < options.programs && !interrupted; ++index) {
    const DispatchScript script = build_dispatch(genes_at(options.seed, index).value(), judge, profiles);
    Decisions decisions;
    reference::Judge recording = judge;
    recording.decisions = &decisions;
    count_hits(all, decisions, index, [&, right = reference::run(recording, script)](const Rule& rule) {
      reference::Judge misread = judge;
      misread.flipped = &rule;
      return shows(script, right, misread);
    });
    progress.show(index + 1, 0);
  }
  return all;
}

}  // namespace plumbline::fuzz
