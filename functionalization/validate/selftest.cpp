// Planting misread rules in the passes.
#include "functionalization/validate/selftest.h"

namespace plumbline::validate {

PlantedFault catch_fault(const Rule& rule, const Options& options) {
  PlantedFault fault;
  fault.rule = &rule;
  Options faulty = options;
  faulty.flipped = &rule;
  faulty.most_findings = 1;
  const Report report = run_random(faulty, [](const Report&) { return false; });
  fault.programs = report.programs + report.without_form;
  if (report.findings.empty()) return fault;
  fault.caught = true;
  fault.passes = report.findings.front().passes;
  fault.difference = report.findings.front().difference;
  return fault;
}

std::uint64_t bodies_that_differ(const Rule& rule, const Options& options) {
  Options faulty = options;
  faulty.flipped = &rule;
  faulty.to_the_end = true;
  faulty.most_findings = 0;
  return run_random(faulty, [](const Report&) { return false; }).differ;
}

}  // namespace plumbline::validate
