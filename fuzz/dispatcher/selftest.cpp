// Planting faults in the reference's dispatcher, one at a time.
#include "fuzz/dispatcher/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/campaign.h"
#include "fuzz/commands.h"
#include "fuzz/curated.h"
#include "fuzz/hits.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/report.h"
#include "spec/rules/dsp.h"
#include "spec/rules/dsp_calls.h"
#include "spec/rules/key.h"
#include "spec/rules/tls.h"

namespace plumbline::fuzz {

namespace {

/// A dispatcher that follows one rule's misreading.
struct DispatchFault {
  std::string_view name;
  const Rule* rule;
  std::string_view out_of_reach = {};  ///< why no generated program can show it; empty: one should
};

/// Each dispatcher rule that programs can show, and the rules of key sets and guards that these rest on. Two rules are
/// left out: LibTorch's tables alone show DSP-07, and only a curated program DSP-39 (none generated has
/// PythonDispatcher).
std::vector<DispatchFault> dispatch_faults() {
  std::vector<DispatchFault> faults{{"exclude-does-not-beat-include", &KEY_06},
                                    {"include-forgotten", &KEY_05},
                                    {"guard-left-behind", &TLS_07},
                                    {"guard-restores-defaults", &TLS_06},
                                    {"exclude-guard-ignored", &TLS_14},
                                    {"include-guard-ignored", &TLS_15}};
  constexpr std::array names{
      std::pair{&DSP_01, "alias-before-own"},         std::pair{&DSP_02, "nonfunctional-for-xla"},
      std::pair{&DSP_03, "nonfunctional-last"},       std::pair{&DSP_04, "explicit-for-nested"},
      std::pair{&DSP_05, "implicit-before-explicit"}, std::pair{&DSP_06, "nested-forgotten"},
      std::pair{&DSP_08, "implicit-over-backend"},    std::pair{&DSP_09, "ambiguity-unnoticed"},
      std::pair{&DSP_10, "autograd-before-implicit"}, std::pair{&DSP_12, "fallback-before-alias"},
      std::pair{&DSP_13, "undefined-unserved"},       std::pair{&DSP_14, "oldest-kernel-used"},
      std::pair{&DSP_15, "own-entry-alone-updated"},  std::pair{&DSP_16, "mask-not-recomputed"},
      std::pair{&DSP_30, "fallthrough-ignored"},      std::pair{&DSP_31, "fallthrough-of-all-backends"},
      std::pair{&DSP_32, "lowest-backend"},           std::pair{&DSP_33, "no-backend-is-undefined"},
      std::pair{&DSP_34, "redispatch-masks"},         std::pair{&DSP_35, "kernel-given-unmasked-keys"},
      std::pair{&DSP_36, "first-of-list-alone"},      std::pair{&DSP_37, "missing-kernel-silent"},
      std::pair{&DSP_38, "fallthrough-redispatches"}};
  for (const auto& [rule, name] : names) faults.push_back({name, rule});
  faults.push_back({"batched-forgotten", &DSP_11, out_of_reach(DSP_11)});
  return faults;
}

/// How fuzzing shows the fault; nothing: no program does.
std::optional<FirstDivergence> found_by_fuzzing(const reference::Judge& wrong, const DispatchFault& fault,
                                                const DispatchSelftestOptions& options) {
  constexpr std::uint64_t kBatch = 500;
  Subject subject{[wrong] { return std::make_unique<JudgeAdapter>(wrong); }, {}, {}};
  subject.generated.dispatching = Dispatching::only;
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

int run_dispatch_selftest(const DispatchSelftestOptions& options) {
  const std::vector<CuratedTest> curated = look_up([&] { return load_curated(options.corpus); });
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  nlohmann::ordered_json json{{"command", "selftest --dispatcher"}, {"faults", nlohmann::ordered_json::array()}};
  const std::vector<DispatchFault> faults = dispatch_faults();
  std::size_t fuzzed = 0;
  std::size_t by_programs = 0;
  fmt::print(out, "{:<32}{:<10}{:<24}{}\n", "planted fault", "rule", "fuzzing alone", "curated alone");
  for (const DispatchFault& fault : faults) {
    const reference::Judge wrong{.flipped = fault.rule};
    const auto found = found_by_fuzzing(wrong, fault, options);
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
      std::ranges::count_if(faults, [](const DispatchFault& one) { return one.out_of_reach.empty(); }));
  for (const DispatchFault& fault : faults)
    if (!fault.out_of_reach.empty())
      fmt::print(out, "no generated program can show {}: {}\n", fault.name, fault.out_of_reach);
  fmt::print(out, "{} of {} planted faults caught by fuzzing alone; {} of {} by the curated programs alone\n", fuzzed,
             reachable, by_programs, faults.size());
  return fuzzed == reachable && by_programs == faults.size() ? 0 : 1;
}

}  // namespace plumbline::fuzz
