// `plumbline run`: runs programs on the implementations that the user names.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/programs.h"
#include "cli/quiet.h"
#include "cli/runner.h"
#include "oracle/report/summary.h"
#include "oracle/report/text.h"
#include "support/terminal.h"

namespace plumbline::cli {

namespace {

constexpr const char* kRest = "Everything: -v prints it, --json FILE writes it.";

bool all_pass(const RunReport& report) {
  return report.problems.empty() && std::ranges::all_of(report.results, [](const TestResult& result) {
           return result.ran && result.verdict == Verdict::pass;
         });
}

/// A test that cannot be read is unsupported on each implementation, and a problem.
void add_unread(RunReport& report, const std::vector<UnreadTest>& unread) {
  for (const UnreadTest& test : unread) {
    const Problem& p = test.problem;
    report.problems.push_back(p);
    TestResult result;
    result.file = p.file;
    result.test = test.name;
    result.line = test.line;
    result.ran = true;
    result.verdict = Verdict::unsupported;
    result.message = fmt::format("it cannot be read: line {}: {}", p.line, p.problem);
    report.add_for_each_implementation(std::move(result));
  }
}

}  // namespace

int run_command(const RunOptions& options) {
  Output output(options.common.json);
  Waivers waivers(load_waivers_or(options.common.waivers, options.common.corpus, today()));
  LoadedPrograms programs = load_programs(options.paths, Unreadable::record);
  Plan plan;
  plan.on = options.on;
  plan.options.profile = options.profile.empty() ? "sound" : options.profile;
  plan.options.flip = options.flip;
  plan.options.level = level_named(options.level);
  plan.options.timeout_s = options.common.timeout_s;
  plan.options.memory_limit_mib = options.common.memory_limit_mib;
  plan.compare_profile = options.profile;
  plan.jobs = options.common.jobs;
  plan.quiet = options.common.quiet;
  RunReport report = run_tests(programs.tests, plan);
  report.command = "run";
  report.problems = std::move(programs.problems);
  add_unread(report, programs.unread);
  report.require_all = options.common.require_all;
  // With a flipped rule or another profile, a waiver that excuses nothing need not be stale.
  apply_waivers(report, waivers, options.flip.empty() && options.profile.empty());
  if (options.common.quiet) return output.close(report, quiet_text(report));
  const std::string next = all_pass(report) ? "" : next_step(report) + "\n";
  const std::string whole =
      implementations_text(report) + results_text(report, options.common.verbose) + next + closing_text(report);
  const Screen screen = screen_of_stdout();
  if (options.common.verbose || screen.lines_of(whole) <= kScreenLines) return output.close(report, whole);
  return output.close(report, summary_text(report, {screen, kScreenLines, kRest}));
}

}  // namespace plumbline::cli
