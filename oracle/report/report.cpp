// Counting the results of a run, and applying waivers to them.
#include "oracle/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "adapters/protocol/names.h"

namespace plumbline {

namespace {

template <std::size_t N>
void append_grades(std::string& text, const std::array<Strictness, N>& grades,
                   const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    if (grades[i] == Strictness::exact) continue;
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", names[i],
                        grades[i] == Strictness::ignore    ? "not observed"
                        : grades[i] == Strictness::changed ? "only whether it changes"
                                                           : "only whether it raises");
  }
}

}  // namespace

std::string TestResult::key() const {
  return fmt::format("{}::{}", std::filesystem::path(file).filename().string(), test);
}

void RunReport::add_for_each_implementation(TestResult result) {
  for (result.implementation = 0; result.implementation < implementations.size(); ++result.implementation)
    results.push_back(result);
}

Tally RunReport::tally() const {
  Tally tally;
  for (const TestResult& result : results) {
    if (!result.ran) continue;
    if (result.waived)
      ++tally.waived;
    else
      tally.add(result.verdict);
  }
  return tally;
}

std::vector<const TestResult*> RunReport::not_run() const {
  std::vector<const TestResult*> missing;
  for (const TestResult& result : results)
    if (!result.ran) missing.push_back(&result);
  return missing;
}

int RunReport::exit_code() const {
  const int code = tally().exit_code(require_all);
  if (interrupted) return kExitInterrupted;
  if (code == kExitHarness) return code;
  if (!problems.empty()) return kExitUsage;
  if (code != 0) return code;
  if (!stale.empty()) return kExitDivergent;
  const auto failed = std::ranges::find_if(appendices, [](const Appendix& one) { return one.exit_code != 0; });
  return failed == appendices.end() ? 0 : failed->exit_code;
}

namespace {

/// Keeps the breaches that a waiver excuses; the others become findings.
void keep_excused(TestResult& result, const Description& implementation, Waivers& waivers) {
  std::vector<Finding> excused;
  for (Finding& breach : result.breaches) {
    const Waiver* waiver = waivers.find_generated(implementation, breach.occurrence);
    if (waiver == nullptr) waiver = waivers.find(implementation, result.key(), breach.occurrence);
    if (waiver != nullptr) {
      breach.waiver = *waiver;
      excused.push_back(std::move(breach));
      continue;
    }
    if (result.verdict < Verdict::divergent) {
      result.verdict = Verdict::divergent;
      result.message = describe(breach.difference);
    }
    result.findings.push_back(std::move(breach));
  }
  result.breaches = std::move(excused);
}

}  // namespace

void apply_waivers(RunReport& report, Waivers& waivers, bool complete) {
  for (TestResult& result : report.results) {
    if (!result.ran) continue;
    const Description& implementation = report.implementations[result.implementation].description;
    waivers.ran(implementation, result.key());
    for (Finding& finding : result.findings)
      if (const Waiver* waiver = waivers.find(implementation, result.key(), finding.occurrence))
        finding.waiver = *waiver;
    keep_excused(result, implementation, waivers);
    if (result.findings.empty()) continue;
    const auto excused = [](const Finding& finding) { return finding.waiver.has_value(); };
    result.waived = result.verdict == Verdict::divergent && std::ranges::all_of(result.findings, excused);
  }
  if (complete) report.stale = waivers.stale();
}

std::string nearest_profile_text(const Description& description) {
  constexpr std::string_view kRelease = "torch-";
  if (!description.profile.starts_with(kRelease) || description.version.empty()) return "";
  const std::string series = description.profile.substr(kRelease.size()) + ".";
  if (description.version.starts_with(series)) return "";
  return fmt::format("{} {} has no profile of its own; the nearest is {}", description.name, description.version,
                     description.profile);
}

namespace {

/// "; programs are cut to the level 'aliasing', to 12 ops and to the dtypes bool, int32".
std::string manifest_text(const Manifest& has) {
  std::vector<std::string> cuts;
  if (has.level < Level::versions) cuts.push_back(fmt::format("the level '{}'", name_of(has.level)));
  if (!has.ops.empty()) cuts.push_back(fmt::format("{} ops", has.ops.size()));
  if (!has.dtypes.empty()) {
    std::vector<std::string_view> dtypes;
    for (const Dtype dtype : has.dtypes) dtypes.push_back(name_of(dtype));
    cuts.push_back(fmt::format("the dtypes {}", fmt::join(dtypes, ", ")));
  }
  return cuts.empty() ? "" : fmt::format("; programs are cut to {}", fmt::join(cuts, ", to "));
}

}  // namespace

std::string strictness_text(const Description& description) {
  std::string exceptions;
  append_grades(exceptions, description.fields, kFieldNames);
  append_grades(exceptions, description.thread, kThreadFieldNames);
  constexpr std::array<std::string_view, 5> kErrors{"not observed", "only whether one is raised", "", "by class",
                                                    "by message"};
  return fmt::format(
      "every reading exactly{}{}; errors {}; values bit for bit, or within the reference's bound plus {} ulps if the "
      "result was rounded{}",
      exceptions.empty() ? "" : " except ", exceptions, kErrors.at(static_cast<std::size_t>(description.errors)),
      description.closeness.ulps, manifest_text(description.has));
}

}  // namespace plumbline
