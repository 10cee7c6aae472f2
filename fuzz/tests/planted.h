// An implementation with a planted fault, a misread rule, and the reproducer of what the fuzzer finds there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fuzz/builder.h"
#include "fuzz/campaign.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/reproduce.h"
#include "fuzz/shrink.h"

namespace plumbline::fuzz {

/// The reproducer of the first failure that a misread rule causes, shrunk. `header`: the comment at its top.
inline Reproducer reproducer_of(const Rule& rule, const std::vector<std::string>& header = {"A comment."}) {
  reference::Judge sound, misread;
  misread.flipped = &rule;
  const Subject subject{[misread] { return std::make_unique<JudgeAdapter>(misread); }, sound, sound};
  CampaignOptions options;
  options.programs = 6000;
  options.max_failures = 4;
  const Report report = run_campaign(subject, options);
  if (report.findings.empty()) return {};
  JudgeAdapter adapter(misread);
  const Failing failing = [&](const Script& script) { return signature_on(adapter, sound, script); };
  Reproducer made;  // what differs in the first may be a tensor that no variable holds, which Python cannot name
  for (const Finding& finding : report.findings) {
    const Shrunk small = shrink(genes_at(options.seed, finding.index), sound, finding.signature, failing, 1500);
    made = reproduce(small.script, sound, adapter, {"it", {rule.id()}, header});
    if (made.verified) break;
  }
  return made;
}

}  // namespace plumbline::fuzz
