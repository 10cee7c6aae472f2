// Planting faults in the reference's functionalizer.
#include "fuzz/functionalize/selftest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fuzz/campaign.h"
#include "fuzz/report.h"
#include "oracle/validate/selftest.h"
#include "spec/rules/catalogue.h"

namespace plumbline::fuzz {

int run_functionalize_selftest(const FunctionalizeSelftestOptions& options) {
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  validate::Options run;
  run.seed = options.seed;
  run.programs = options.programs;
  const validate::Report healthy = run_random(run, [](const validate::Report&) { return interrupted.load(); });
  for (const validate::Finding& finding : healthy.findings)
    fmt::print(out, "without a fault, body {}: {}\n{}\n", finding.body, finding.difference, finding.program);
  nlohmann::ordered_json json{{"command", "selftest --functionalize"},
                              {"without_fault", healthy.findings.size()},
                              {"faults", nlohmann::ordered_json::array()}};
  fmt::print(out, "{:<10}{:<16}{}\n", "rule", "validation", "misread so");
  std::size_t caught = 0;
  for (const Rule* rule : kFunctionalizeRules) {
    if (interrupted) break;
    const validate::PlantedFault fault = catch_fault(*rule, run);
    caught += fault.caught ? 1 : 0;
    fmt::print(out, "{:<10}{:<16}{}\n", rule->id(),
               fmt::format("{} {}", fault.caught ? "body" : "SURVIVED", fault.programs), rule->misreading);
    json["faults"].push_back({{"rule", rule->id()},
                              {"misreading", rule->misreading},
                              {"caught", fault.caught},
                              {"bodies", fault.programs},
                              {"difference", fault.difference}});
  }
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out, "{} of {} planted faults caught by validation; {} bodies without a fault, {} differ\n", caught,
             kFunctionalizeRules.size(), healthy.programs, healthy.findings.size());
  return caught == kFunctionalizeRules.size() && healthy.findings.empty() ? 0 : 1;
}

}  // namespace plumbline::fuzz
