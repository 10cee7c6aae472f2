// Planting misread rules in the passes.
#include "oracle/validate/selftest.h"

namespace plumbline::validate {

PlantedFault catch_fault(const Rule& rule, const Options& options) {
  PlantedFault fault;
  fault.rule = &rule;
  Options faulty = options;
  faulty.flipped = &rule;
  faulty.most_findings = 1;
  for (const passes::Passes which : {passes::Passes::ab, passes::Passes::abc}) {
    faulty.passes = fault.passes = which;
    const Report report = run_random(faulty, [](const Report&) { return false; });
    fault.programs += report.programs + report.without_form;
    if (report.findings.empty()) continue;
    fault.caught = true;
    fault.difference = report.findings.front().difference;
    break;
  }
  return fault;
}

std::uint64_t bodies_that_differ(const Rule& rule, const Options& options) {
  Options faulty = options;
  faulty.flipped = &rule;
  faulty.to_the_end = true;
  faulty.most_findings = 0;
  for (const passes::Passes which : {passes::Passes::ab, passes::Passes::abc}) {
    faulty.passes = which;
    const Report report = run_random(faulty, [](const Report&) { return false; });
    if (report.differ > 0) return report.differ;
  }
  return 0;
}

}  // namespace plumbline::validate
