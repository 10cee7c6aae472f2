// A report as text for people.
#include "oracle/report/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "support/screen.h"

namespace plumbline {

namespace {

constexpr std::size_t kWidth = 118;

std::string finding_text(const Finding& finding, const TestResult& result) {
  const int line = finding.difference.line > 0 ? finding.difference.line : result.line;
  std::string text = fmt::format(
      "  {}:{}: {}{}\n    expected {}\n    got      {}\n    against {}; signature: {}\n", result.file, line,
      finding.difference.what,
      finding.difference.line > 0 || finding.difference.what == "the run" ? "" : ", in the snapshot at the end",
      finding.difference.expected, finding.difference.got, finding.against, finding.difference.signature);
  if (finding.waiver)
    text += fmt::format("    waived by {} until {}: {}\n    {}\n", finding.waiver->id, finding.waiver->expires,
                        finding.waiver->reason, finding.waiver->link);
  return text;
}

}  // namespace

std::string result_text(const RunReport& report, const TestResult& result) {
  std::string head = fmt::format("{:<13} {}:{} {} on {}{}{}\n", result.verdict_name(), result.file, result.line,
                                 result.test, report.implementations[result.implementation].name,
                                 result.rules.empty() ? "" : "  ", fmt::join(result.rules, " "));
  if (result.verdict == Verdict::pass) return head;
  if (result.findings.empty()) return fmt::format("{}  {}\n", head, result.message);
  std::string text = head;
  for (const Finding& finding : result.findings) text += finding_text(finding, result);
  if (result.verdict != Verdict::divergent) text += fmt::format("  {}\n", result.message);
  return text;
}

std::string problem_text(const Problem& problem) {
  const std::string place =
      problem.line > 0 ? fmt::format("{}:{}:{}", problem.file, problem.line, problem.column) : problem.file;
  return fmt::format("{}: {}\n{}", place, problem.problem,
                     problem.advice.empty() ? "" : fmt::format("  {}\n", problem.advice));
}

std::string results_text(const RunReport& report, bool verbose) {
  std::string text;
  for (const TestResult& result : report.results)
    if (result.ran && (verbose || result.verdict != Verdict::pass)) text += result_text(report, result);
  for (const std::string& line : report.stale) text += line + "\n";
  const auto missing = report.not_run();
  if (!missing.empty())
    text += fmt::format("interrupted: {} of {} were not run:\n", missing.size(), report.results.size());
  for (const TestResult* result : missing)
    text += fmt::format("  {} on {}\n", result->key(), report.implementations[result->implementation].name);
  for (const Problem& problem : report.problems) text += problem_text(problem);
  return text;
}

std::string counts_text(const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  return text;
}

std::string comparison_text(const Description& description) {
  std::string text = wrapped_text("  compared: " + strictness_text(description), kWidth, 12) + "\n";
  for (const auto& [field, reason] : description.reasons)
    text += wrapped_text(fmt::format("  {}: {}", field, reason), kWidth, 4) + "\n";
  return text;
}

std::string implementations_text(const RunReport& report) {
  std::string text;
  for (const Implementation& i : report.implementations) {
    text += fmt::format("{}: {} {}, profile {}\n{}", i.name, i.description.name, i.description.version,
                        i.description.profile, comparison_text(i.description));
    if (!i.counts.empty()) text += fmt::format("  {}\n", counts_text(i.counts));
    if (const std::string nearest = nearest_profile_text(i.description); !nearest.empty())
      text += fmt::format("  {}\n", nearest);
  }
  return text;
}

std::string closing_text(const RunReport& report) {
  if (report.results.empty()) return "nothing ran\n";
  std::size_t statements = 0;
  std::size_t unspecified = 0;
  std::size_t waived = 0;
  std::size_t watched = 0;
  std::size_t longest = 1;
  std::set<std::string> known;
  for (const TestResult& result : report.results) {
    statements += result.statements;
    unspecified += result.unspecified;
    for (const Finding& finding : result.findings) waived += finding.waiver ? 1 : 0;
    watched += result.breaches.empty() ? 0 : 1;
    longest = std::max(longest, result.watched_every);
    for (const Finding& breach : result.breaches) known.insert(breach.waiver->id);
  }
  const auto share = [&](std::size_t n) {
    return statements == 0 ? 0.0 : 100.0 * static_cast<double>(n) / static_cast<double>(statements);
  };
  std::string monitors;
  if (longest > 1)
    monitors =
        fmt::format("monitors: in a long program they look only at every {}th statement, or more often\n", longest);
  if (watched > 0)
    monitors += fmt::format("monitors: {} of {} runs break an invariant in a known way ({})\n", watched,
                            report.results.size(), fmt::join(known, ", "));
  return monitors + fmt::format(
                        "{} statements compared: {} ({:.2f} %) have a value that the specification does not define, {} "
                        "({:.2f} %) are waived\n{}\n",
                        statements, unspecified, share(unspecified), waived, share(waived), report.tally().line());
}

}  // namespace plumbline
