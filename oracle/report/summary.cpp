// Choosing what fits one screen.
#include "oracle/report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "oracle/report/severity.h"
#include "oracle/report/text.h"

namespace plumbline {

namespace {

using Lines = std::vector<std::string>;

Lines lines_in(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void append(Lines& lines, Lines more) { std::ranges::move(more, std::back_inserter(lines)); }

/// The first `room` of these; where some are left out the last line says so.
Lines cut(Lines lines, std::size_t room) {
  if (lines.size() <= room) return lines;
  lines.resize(room);
  if (room > 1) lines.back() = "  … and more";
  return lines;
}

/// Whether a result is what nobody knew of: it is listed by name.
bool is_new(const TestResult& result) {
  return result.ran && !result.waived &&
         (result.verdict == Verdict::divergent || result.verdict == Verdict::harness_error);
}

std::size_t severity_of(const RunReport& report, const TestResult& result) {
  if (result.verdict == Verdict::harness_error) return 0;
  std::size_t worst = kBroken.size();
  for (const Finding& finding : result.findings)
    if (!finding.waiver)
      worst = std::min(worst, severity_of(finding, result, report.implementations[result.implementation].description));
  return 1 + worst;
}

/// The first finding without a waiver; null if there is none.
const Finding* first_new(const TestResult& result) {
  const auto found = std::ranges::find_if(result.findings, [](const Finding& f) { return !f.waiver; });
  return found == result.findings.end() ? nullptr : &*found;
}

/// What tells one difference from another: implementation and signature, or the first line of the message.
std::string kind_of(const RunReport& report, const TestResult& result) {
  const Finding* finding = first_new(result);
  const std::string what =
      finding != nullptr ? finding->difference.signature : result.message.substr(0, result.message.find('\n'));
  return fmt::format("{}: {}", report.implementations[result.implementation].name, what);
}

/// A line for each different divergence, with the number of programs that have it too.
Lines kinds(const RunReport& report, const std::vector<const TestResult*>& results, std::size_t room) {
  std::vector<std::pair<std::string, std::vector<const TestResult*>>> by_kind;
  for (const TestResult* result : results) {
    const std::string kind = kind_of(report, *result);
    auto one = std::ranges::find(by_kind, kind, [](const auto& entry) { return entry.first; });
    if (one == by_kind.end()) one = by_kind.insert(by_kind.end(), {kind, {}});
    one->second.push_back(result);
  }
  Lines lines;
  for (const auto& [kind, of_it] : by_kind) {
    if (lines.size() + 1 == room && by_kind.size() > room) {
      lines.push_back(
          fmt::format("  … and {} more that are different; see above where", by_kind.size() - lines.size()));
      break;
    }
    lines.push_back(fmt::format("  {} on {}{}", of_it.front()->key(), kind,
                                of_it.size() > 1 ? fmt::format(" (and {} more programs)", of_it.size() - 1) : ""));
  }
  return lines;
}

/// The new divergences, in full if they fit, otherwise one in a line, otherwise each different one.
Lines named(const RunReport& report, const std::vector<const TestResult*>& results, std::size_t room,
            const Screen& screen) {
  std::string full;
  for (const TestResult* result : results) full += result_text(report, *result);
  if (screen.lines_of(full) <= room) return lines_in(full);
  if (results.size() > room) return kinds(report, results, room);
  Lines lines;
  for (const TestResult* result : results)
    lines.push_back(fmt::format("  {} on {}", result->key(), kind_of(report, *result)));
  return lines;
}

/// What fails besides tests: files with mistakes, stale waivers, tests that did not run, sections that failed.
Lines other_failures(const RunReport& report) {
  Lines lines;
  for (const Appendix& one : report.appendices) {
    if (one.exit_code == 0) continue;
    const std::vector<std::string> rules = one.profile.empty() ? Lines{} : unconfirmed_in(one.text);
    Lines all = lines_in(one.text);
    std::erase_if(all, [](const std::string& line) { return line.empty(); });
    lines.push_back(fmt::format("  {} (exit code {}): {}", one.title, one.exit_code,
                                rules.empty() ? (all.empty() ? "" : all.back())
                                              : fmt::format("not as the profile says: {}", fmt::join(rules, " "))));
    for (const std::string& line : all)
      if (line.starts_with("  divergent")) lines.push_back("  " + line);
  }
  for (const std::string& line : report.stale) append(lines, lines_in(line));
  const auto missing = report.not_run();
  if (!missing.empty())
    lines.push_back(fmt::format("interrupted: {} of {} were not run:", missing.size(), report.results.size()));
  for (const TestResult* result : missing)
    lines.push_back(fmt::format("  {} on {}", result->key(), report.implementations[result->implementation].name));
  for (const Problem& problem : report.problems) append(lines, lines_in(problem_text(problem)));
  return lines;
}

/// Everything that is new; its heading counts it.
Lines new_lines(const RunReport& report, std::size_t room, const Screen& screen) {
  std::vector<const TestResult*> results;
  for (const TestResult& result : report.results)
    if (is_new(result)) results.push_back(&result);
  std::ranges::sort(results, {}, [&](const TestResult* result) {
    return std::pair(severity_of(report, *result), result - report.results.data());
  });
  Lines others = other_failures(report);
  if (results.empty() && others.empty()) return {screen.paint(Colour::green, "New: nothing.")};
  const std::size_t for_others = results.empty() ? room - 1 : std::max<std::size_t>(1, (room - 1) / 3);
  if (others.size() > for_others) {
    const std::size_t left_out = others.size() - for_others + 1;
    others.resize(for_others);
    others.back() = fmt::format("  … and {} lines more of this sort", left_out);
  }
  Lines lines = std::move(others);
  if (!results.empty()) {
    lines.push_back(screen.paint(Colour::red, fmt::format("New: {} {}, the most severe first:", results.size(),
                                                          results.size() == 1 ? "divergence" : "divergences")));
    append(lines, named(report, results, room - lines.size(), screen));
  }
  return lines;
}

/// The largest counts first; equal ones in the order of what they count.
template <class What>
void sort_by_count(std::vector<std::pair<std::size_t, What>>& counts) {
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
}

/// Counts of known differences and breaches by rule, a line for each severity.
Lines known_lines(const RunReport& report, const Screen& screen) {
  std::array<std::map<std::string, std::set<const TestResult*>>, kBroken.size()> known;
  std::set<const TestResult*> runs;
  const auto add = [&](const TestResult& result, const Finding& finding) {
    if (!finding.waiver) return;
    runs.insert(&result);
    const Description& on = report.implementations[result.implementation].description;
    for (const std::string& rule : finding.waiver->rules)
      known.at(severity_of(finding, result, on))[rule].insert(&result);
  };
  for (const TestResult& result : report.results) {
    for (const Finding& finding : result.findings) add(result, finding);
    for (const Finding& breach : result.breaches) add(result, breach);
  }
  if (runs.empty()) return {};
  Lines lines{screen.paint(Colour::yellow,
                           fmt::format("Known: {} of {} runs differ as waivers say. By what they break, runs by rule:",
                                       runs.size(), report.results.size()))};
  for (std::size_t i = 0; i < kBroken.size(); ++i) {
    if (known.at(i).empty()) continue;
    std::vector<std::pair<std::size_t, std::string>> counts;
    for (const auto& [rule, results] : known.at(i)) counts.emplace_back(results.size(), rule);
    sort_by_count(counts);
    std::string text = fmt::format("  {}: ", kBroken.at(i).substr(0, kBroken.at(i).find(';')));
    const std::size_t most = screen.width * (i < 3 ? 2 : 1) - 25;  // two lines where an invariant is broken
    for (std::size_t j = 0; j < counts.size(); ++j) {
      if (text.size() > most) {
        text += fmt::format("and {} rules more, ", counts.size() - j);
        break;
      }
      text += fmt::format("{}:{}, ", counts[j].second, counts[j].first);
    }
    text.resize(text.size() - 2);
    append(lines, wrapped(text, screen.width, 4));
  }
  return lines;
}

/// A result's message as the reason that many programs share.
std::string reason_of(const TestResult& result) {
  if (result.verdict == Verdict::unspecified) return "a value is free";
  return result.message.substr(0, result.message.find('\n'));
}

/// The results that nobody could judge, a line for each reason.
Lines not_compared(const RunReport& report, const Screen& screen) {
  std::map<std::pair<Verdict, std::string>, std::size_t> reasons;
  std::size_t all = 0;
  for (const TestResult& result : report.results) {
    const bool one = result.verdict == Verdict::unsupported || result.verdict == Verdict::unspecified ||
                     result.verdict == Verdict::unknown;
    if (!result.ran || !one) continue;
    ++all;
    ++reasons[{result.verdict, reason_of(result)}];
  }
  if (all == 0) return {};
  const std::string head = fmt::format("Not compared, or only in part: {} of {} runs", all, report.results.size());
  if (reasons.size() == 1) {
    return {wrapped(fmt::format("{} ({})", head, reasons.begin()->first.second), screen.width, 4).front()};
  }
  Lines lines{head};
  std::vector<std::pair<std::size_t, std::pair<Verdict, std::string>>> counts;
  for (const auto& [reason, count] : reasons) counts.emplace_back(count, reason);
  sort_by_count(counts);
  for (const auto& [count, reason] : counts)
    lines.push_back(
        wrapped(fmt::format("  {} {}: {}", count, name_of(reason.first), reason.second), screen.width, 4).front());
  return lines;
}

/// A heading, and for a profile a line for each severity of what it breaks.
Lines section(const Appendix& one, const Screen& screen) {
  if (one.profile.empty()) {
    const std::string good = one.exit_code == 0 ? "as expected" : "NOT as expected, see below";
    return {wrapped(fmt::format("{}: {}", one.title, good), screen.width, 2).front()};
  }
  const auto departures = departures_of(profile_named(one.profile).value_or(Profile::sound));
  std::size_t rules = 0;
  for (const Lines& some : departures) rules += some.size();
  Lines lines{fmt::format("{}: {} rules, by what they break{}", one.title, rules,
                          one.exit_code == 0 ? "" : "; NOT as expected, see below")};
  for (std::size_t i = 0; i < kBroken.size(); ++i)
    if (!departures.at(i).empty())
      append(lines, wrapped(fmt::format("  {}: {}", kBroken.at(i).substr(0, kBroken.at(i).find(';')),
                                        ids_text(departures.at(i))),
                            screen.width, 4));
  return lines;
}

}  // namespace

std::string next_step(const RunReport& report) {
  if (report.interrupted) return "Next: run it again to the end.";
  if (!report.problems.empty()) return "Next: fix the programs that are named below.";
  const auto fell = std::ranges::find_if(report.results, is_new);
  if (fell != report.results.end()) {
    const std::string& on = report.implementations[fell->implementation].name;
    return fmt::format("Next: plumbline explain {}::{}{}", fell->file, fell->test,
                       on == "reference" ? "" : fmt::format(" --on '{}'", on));
  }
  if (!report.stale.empty()) return "Next: remove the waivers that nothing needs any more.";
  const int code = report.exit_code();
  if (code == kExitNothing) return "Next: name other programs or implementations; no program passed.";
  if (code == kExitUnknown) return "Next: see -v for the programs whose verdict is unknown; no other program passed.";
  if (code != 0) return "Next: see what failed: below, or with -v where every program must pass.";
  return "Next: nothing. plumbline explain FILE --on NAME says why a known one differs.";
}

std::vector<std::string> unconfirmed_in(std::string_view text) {
  std::vector<std::string> rules;
  std::string rule;
  for (const std::string& line : lines_in(text)) {
    const std::size_t space = line.find("  ");
    if (space != std::string::npos && space > 0 && line.find('-') < space) rule = line.substr(0, space);
    const bool bad = line.find(": NOT CONFIRMED: ") != std::string::npos || line.starts_with("  NO PROGRAM FOUND");
    if (bad && !rule.empty()) rules.push_back(rule);
  }
  return rules;
}

std::string summary_text(const RunReport& report, const SummaryOptions& options) {
  const Screen& screen = options.screen;
  std::vector<Lines> parts;
  for (const Implementation& one : report.implementations)
    if (const std::string nearest = nearest_profile_text(one.description); !nearest.empty()) parts.push_back({nearest});
  for (const Appendix& one : report.appendices) parts.push_back(section(one, screen));
  parts.push_back(not_compared(report, screen));
  parts.push_back(known_lines(report, screen));  // it stands last, and has the first claim on room
  std::erase_if(parts, [](const Lines& part) { return part.empty(); });
  // What is new is chosen first, but every part keeps its first line.
  constexpr std::size_t kFixed = 3;  // what to do next, where the rest is, the tally
  std::size_t room = options.lines - std::min(options.lines, kFixed + parts.size());
  const Lines fell = new_lines(report, std::max<std::size_t>(room, 4), screen);
  room -= std::min(room, fell.size());
  std::vector<std::size_t> sizes(parts.size(), 1);
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const std::size_t i = (parts.size() - 1 + j) % parts.size();
    const std::size_t more = std::min(room, parts[i].size() - 1);
    sizes[i] += more;
    room -= more;
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += fmt::format("{}\n", fmt::join(cut(std::move(parts[i]), sizes[i]), "\n"));
  text += fmt::format("{}\n{}\n", next_step(report), options.rest);
  return text + fmt::format("{}\n{}\n", fmt::join(fell, "\n"), report.tally().line());
}

}  // namespace plumbline
