// Planting misreadings in the reference, one at a time.
#include "fuzz/misreadings/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/commands.h"
#include "fuzz/curated.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/report.h"

namespace plumbline::fuzz {

namespace {

/// How fuzzing shows the fault; nothing: no program does.
std::optional<FirstDivergence> found_by_fuzzing(const reference::Judge& wrong, const Misreading& fault,
                                                const Recipe& generated, const MisreadingOptions& options) {
  constexpr std::uint64_t kBatch = 500;
  Subject subject{[wrong] { return std::make_unique<JudgeAdapter>(wrong); }, {}, {}};
  subject.generated = generated;
  CampaignOptions campaign;
  campaign.seed = options.seed;
  campaign.programs = fault.out_of_reach.empty() ? options.programs : 0;
  campaign.jobs = options.jobs;
  return first_divergence(subject, campaign, kBatch);
}

/// Whether a program does not pass: it is red, or the misreading leads to a fallback that the reference does not know.
bool notices(const CuratedTest& curated, JudgeAdapter& sick) {
  return is_red(curated.test, sick, {}) || std::holds_alternative<Breakdown>(sick.run(curated.test.script));
}

}  // namespace

int run_misreading_selftest(const MisreadingSubject& subject, const MisreadingOptions& options) {
  const std::string folder = fmt::format("{}/{}", options.corpus, subject.corpus);
  const std::vector<CuratedTest> curated = look_up([&] { return load_curated(folder); });
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  nlohmann::ordered_json json{{"command", subject.command}, {"faults", nlohmann::ordered_json::array()}};
  const std::vector<Misreading>& faults = subject.faults;
  std::size_t fuzzed = 0;
  std::size_t by_programs = 0;
  fmt::print(out, "{:<32}{:<10}{:<24}{}\n", "planted fault", "rule", "fuzzing alone", "curated alone");
  for (const Misreading& fault : faults) {
    const reference::Judge wrong{.flipped = fault.rule};
    const auto found = found_by_fuzzing(wrong, fault, subject.generated, options);
    JudgeAdapter sick(wrong);
    const auto red = std::ranges::count_if(curated, [&](const CuratedTest& one) { return notices(one, sick); });
    const std::uint64_t programs = found ? found->programs : fault.out_of_reach.empty() ? options.programs : 0;
    fuzzed += found ? 1 : 0;
    by_programs += red > 0 ? 1 : 0;
    fmt::print(out, "{:<32}{:<10}{:<24}{}\n", fault.name, fault.rule->id(),
               found                        ? fmt::format("program {}", programs)
               : fault.out_of_reach.empty() ? fmt::format("SURVIVED {}", programs)
                                            : "out of reach",
               red > 0 ? fmt::format("{} of {} do not pass", red, curated.size()) : std::string("SURVIVED"));
    json["faults"].push_back({{"name", fault.name},
                              {"rule", fault.rule->id()},
                              {"misreading", fault.rule->text().misreading},
                              {"caught", found.has_value()},
                              {"out_of_reach", fault.out_of_reach},
                              {"programs", programs},
                              {"signature", found ? found->finding.signature : ""},
                              {"curated_failing", red}});
    if (interrupted) break;
  }
  if (!options.json.empty()) write_json(json, options.json);
  const auto reachable = static_cast<std::size_t>(
      std::ranges::count_if(faults, [](const Misreading& one) { return one.out_of_reach.empty(); }));
  for (const Misreading& fault : faults)
    if (!fault.out_of_reach.empty())
      fmt::print(out, "no generated program can show {}: {}\n", fault.name, fault.out_of_reach);
  fmt::print(out, "{} of {} planted faults caught by fuzzing alone; {} of {} by the curated programs alone\n", fuzzed,
             reachable, by_programs, faults.size());
  return fuzzed == reachable && by_programs == faults.size() ? 0 : 1;
}

}  // namespace plumbline::fuzz
