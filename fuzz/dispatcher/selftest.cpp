// `plumbline selftest --dispatcher`: faults of a dispatcher, planted one at a time.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/commands.h"
#include "fuzz/dispatcher/command.h"
#include "fuzz/hits.h"
#include "fuzz/report.h"
#include "oracle/dispatcher/check_programs.h"
#include "spec/rules/catalogue.h"
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
/// shown only by LibTorch's tables: DSP-07 (Functionalize always has a fallback) and DSP-39 (no program has
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

}  // namespace

int run_dispatch_selftest(const DispatchSelftestOptions& options) {
  const std::vector<dispatcher::CuratedDispatchTest> curated =
      look_up([&] { return dispatcher::load_dispatch_programs(options.corpus); });
  const reference::Judge right{Profile::sound};
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  nlohmann::ordered_json json{{"command", "selftest --dispatcher"}, {"faults", nlohmann::ordered_json::array()}};
  const std::vector<DispatchFault> faults = dispatch_faults();
  std::size_t fuzzed = 0;
  std::size_t by_programs = 0;
  fmt::print(out, "{:<32}{:<10}{:<24}{}\n", "planted fault", "rule", "fuzzing alone", "curated alone");
  for (const DispatchFault& fault : faults) {
    reference::Judge wrong = right;
    wrong.flipped = fault.rule;
    const std::uint64_t programs = fault.out_of_reach.empty() ? options.programs : 0;
    const DispatchCampaignReport report = run_campaign({[wrong] { return dispatcher::reference_runner(wrong); },
                                                        right,
                                                        {Profile::sound},
                                                        right,
                                                        programs,
                                                        0,
                                                        options.seed,
                                                        options.jobs,
                                                        std::string(fault.name),
                                                        true});
    std::size_t red = 0;
    for (const auto& one : curated) red += dispatcher::failures_on_reference(one.test, wrong).empty() ? 0 : 1;
    const bool caught = !report.findings.empty();
    fuzzed += caught ? 1 : 0;
    by_programs += red > 0 ? 1 : 0;
    const std::uint64_t first = caught ? report.findings.front().index + 1 : report.programs;
    fmt::print(out, "{:<32}{:<10}{:<24}{}\n", fault.name, fault.rule->id(),
               caught                       ? fmt::format("program {}", first)
               : fault.out_of_reach.empty() ? fmt::format("SURVIVED {}", first)
                                            : "out of reach",
               red > 0 ? fmt::format("{} of {} red", red, curated.size()) : std::string("SURVIVED"));
    json["faults"].push_back({{"name", fault.name},
                              {"rule", fault.rule->id()},
                              {"misreading", fault.rule->text().misreading},
                              {"caught", caught},
                              {"out_of_reach", fault.out_of_reach},
                              {"programs", first},
                              {"signature", caught ? report.findings.front().signature : ""},
                              {"curated_red", red}});
    if (report.interrupted) break;
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
