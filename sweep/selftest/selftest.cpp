// `plumbline selftest --sweep`: each planted fault must be reported under the law that it breaks, and under no other.
#include "sweep/selftest/selftest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "support/files.h"
#include "support/interrupt.h"
#include "support/progress.h"
#include "support/siblings.h"
#include "sweep/sweep.h"

namespace plumbline::sweep {

namespace {

constexpr double kTimeout_s = 60;
constexpr std::string_view kHonest = "honest";
constexpr std::string_view kPrefix = "fault_";

/// What the sweep said of the operators of one namespace.
struct Verdict {
  std::set<std::string> expected, broken;
  std::string shown;  ///< the first finding of the expected law

  bool is_right() const { return broken == expected; }
};

std::string space_of(const std::string& op) { return op.substr(0, op.find("::")); }

/// "fault_03_returns_a_copy" breaks OP-03.
std::set<std::string> expected_of(const std::string& space) {
  if (!space.starts_with(kPrefix)) return {};
  return {fmt::format("OP-{}", space.substr(kPrefix.size(), 2))};
}

/// "returns a copy".
std::string sentence_of(const std::string& space) {
  std::string text = space.starts_with(kPrefix) ? space.substr(kPrefix.size() + 3) : "no fault";
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::map<std::string, Verdict> verdicts_of(const SweepReport& report) {
  std::map<std::string, Verdict> all;
  for (const Operator& op : report.operators) all[space_of(op.name)].expected = expected_of(space_of(op.name));
  for (const Finding& finding : report.findings) {
    Verdict& verdict = all[space_of(finding.op)];
    verdict.broken.insert(finding.law);
    if (verdict.shown.empty() && verdict.expected.contains(finding.law))
      verdict.shown = fmt::format("{}: {}", finding.what, finding.detail);
  }
  return all;
}

}  // namespace

int run_selftest(const SelftestOptions& options) {
  const std::filesystem::path python = executable_folder() / "plumbline-sweep-python";
  if (!std::filesystem::exists(python))
    throw std::runtime_error("the build has no PyTorch, so there is nothing to plant faults in; run ./check");
  const std::vector<std::string> words{python.string(), "--import", PLUMBLINE_SWEEP_FAULTS};
  SweepOptions sweeping;
  sweeping.jobs = options.jobs;
  sweeping.wanted = 8;  // a fault may show in some dtypes only
  cli::ProgressLine line;
  const SweepReport report = sweep([&] { return std::make_unique<ProcessCaller>(words, kTimeout_s); }, sweeping,
                                   [&](std::size_t done, std::size_t all) {
                                     if (line.is_due())
                                       line.show(static_cast<double>(done) / static_cast<double>(all),
                                                 fmt::format("{} of {} operators", done, all));
                                   },
                                   cli::interrupted);
  const std::map<std::string, Verdict> verdicts = verdicts_of(report);
  std::string text = fmt::format("{:<52}{:<8}{}\n", "planted fault", "breaks", "caught by");
  nlohmann::ordered_json json{{"command", "selftest --sweep"}, {"faults", nlohmann::ordered_json::array()}};
  std::size_t caught = 0, planted = 0;
  for (const auto& [space, verdict] : verdicts) {
    const bool is_fault = space != kHonest;
    planted += is_fault ? 1 : 0;
    caught += is_fault && verdict.is_right() ? 1 : 0;
    const std::string by =
        verdict.is_right()
            ? (is_fault ? verdict.shown : "nothing, rightly")
            : fmt::format("{} BUT {}", verdict.shown,
                          verdict.broken.empty() ? "NOT CAUGHT" : fmt::format("{}", fmt::join(verdict.broken, ", ")));
    text += fmt::format("{:<52}{:<8}{}\n", sentence_of(space), fmt::join(verdict.expected, ""), by);
    json["faults"].push_back({{"name", space},
                              {"expected", verdict.expected},
                              {"broken", verdict.broken},
                              {"caught", is_fault && verdict.is_right()},
                              {"shown", verdict.shown}});
  }
  const auto honest = verdicts.find(std::string(kHonest));
  const bool is_silent = honest != verdicts.end() && honest->second.is_right();
  text += fmt::format(
      "{} of {} planted faults are reported under their law alone; the operators without a fault are {}{}\n", caught,
      planted, is_silent ? "silent" : "NOT SILENT", report.interrupted ? "; interrupted" : "");
  print_result(text, json.dump(1) + "\n", options.json);
  return caught == planted && is_silent && !report.interrupted ? 0 : 1;
}

}  // namespace plumbline::sweep
