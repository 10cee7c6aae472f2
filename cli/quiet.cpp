// A report as `--quiet` prints it.
#include "cli/quiet.h"

#include <fmt/format.h>

#include "oracle/report/text.h"

namespace plumbline::cli {

std::string quiet_text(const RunReport& report) {
  std::string text;
  for (const TestResult& result : report.results) {
    const bool failed = result.verdict == Verdict::divergent || result.verdict == Verdict::harness_error ||
                        (report.require_all && result.verdict != Verdict::pass);
    if (result.ran && failed && !result.waived) text += result_text(report, result);
  }
  for (const Appendix& one : report.appendices)
    if (one.exit_code != 0) text += fmt::format("{} (exit code {})\n{}\n", one.title, one.exit_code, one.text);
  for (const std::string& line : report.stale) text += line + "\n";
  const std::size_t missing = report.not_run().size();
  if (missing > 0) text += fmt::format("interrupted: {} of {} were not run\n", missing, report.results.size());
  for (const Problem& problem : report.problems) text += problem_text(problem);
  return text + report.tally().line() + "\n";
}

}  // namespace plumbline::cli
