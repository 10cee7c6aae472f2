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

}  // namespace plumbline::validate
