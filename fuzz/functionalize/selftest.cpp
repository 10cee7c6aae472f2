// Planting faults in the reference's functionalizer.
#include "fuzz/functionalize/selftest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "functionalization/validate/selftest.h"
#include "fuzz/campaign.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/report.h"
#include "reference/functionalized.h"
#include "spec/rules/catalogue.h"

namespace plumbline::fuzz {

namespace {

/// The reference, which runs bodies unchanged. A functionalized body promises nothing about how views are tracked or
/// versions counted, so these are not compared.
class AsTheyAre final : public Adapter {
 public:
  AsTheyAre() : adapter_({}), description_(adapter_.describe()) { ignore_what_forms_leave(description_); }
  const Description& describe() const override { return description_; }
  /// Unknown values are hidden: the functionalized form may know more of them, or fewer.
  RunResult run(const Script& script) override {
    RunResult result = adapter_.run(script);
    if (auto* trace = std::get_if<Trace>(&result)) hide_unknown_values(*trace);
    return result;
  }

 private:
  JudgeAdapter adapter_;
  Description description_;
};

/// How fuzzing notices a functionalizer that misreads `rule`; nothing: no program does.
std::optional<FirstDivergence> told_by_fuzzing(const Rule& rule, const FunctionalizeSelftestOptions& options) {
  constexpr std::uint64_t kBatch = 250;
  Subject subject{[] { return std::make_unique<AsTheyAre>(); }, {}, {}};
  subject.generated.functionalize = true;
  subject.expected.flipped = &rule;
  CampaignOptions campaign;
  campaign.seed = options.seed;
  campaign.programs = options.programs;
  return first_divergence(subject, campaign, kBatch);
}

}  // namespace

int run_functionalize_selftest(const FunctionalizeSelftestOptions& options) {
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  validate::Options run;
  run.seed = options.seed;
  run.programs = options.programs;
  const validate::Report healthy = run_random(run, [](const validate::Report&) { return interrupted.load(); });
  for (const validate::Finding& finding : healthy.findings)
    fmt::print(out, "without a planted fault, body {}: {}\n{}\n", finding.body, finding.difference, finding.program);
  const auto false_alarm = told_by_fuzzing(reference::kNoFault, options);
  if (false_alarm)
    fmt::print(out, "without a planted fault, program {}: {}\n", false_alarm->programs, false_alarm->finding.message);
  nlohmann::ordered_json json{{"command", "selftest --functionalize"},
                              {"fuzzed_without_fault", !false_alarm.has_value()},
                              {"without_fault", healthy.findings.size()},
                              {"faults", nlohmann::ordered_json::array()}};
  fmt::print(out, "{:<10}{:<16}{:<18}{}\n", "rule", "validation", "fuzzing", "misreading");
  std::size_t caught = 0;
  std::size_t told = 0;
  for (const Rule* rule : kFunctionalizeRules) {
    if (interrupted) break;
    const validate::PlantedFault fault = catch_fault(*rule, run);
    caught += fault.caught ? 1 : 0;
    const auto fuzzed = told_by_fuzzing(*rule, options);
    told += fuzzed ? 1 : 0;
    fmt::print(out, "{:<10}{:<16}{:<18}{}\n", rule->id(),
               fmt::format("{} {}", fault.caught ? "body" : "SURVIVED", fault.programs),
               fuzzed ? fmt::format("program {}", fuzzed->programs) : fmt::format("SURVIVED {}", options.programs),
               rule->text().misreading);
    json["faults"].push_back({{"rule", rule->id()},
                              {"misreading", rule->text().misreading},
                              {"caught", fault.caught},
                              {"bodies", fault.programs},
                              {"told_by_fuzzing", fuzzed.has_value()},
                              {"fuzzed_programs", fuzzed ? fuzzed->programs : options.programs},
                              {"difference", fault.difference}});
  }
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out,
             "{} of {} planted faults caught by validation, {} by fuzzing; without a fault, {} of {} bodies differ\n",
             caught, kFunctionalizeRules.size(), told, healthy.findings.size(), healthy.programs);
  const bool all = caught == kFunctionalizeRules.size() && told == kFunctionalizeRules.size();
  return all && !false_alarm && healthy.findings.empty() ? 0 : 1;
}

}  // namespace plumbline::fuzz
