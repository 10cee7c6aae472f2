// A comparison as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/driver/compare.h"
#include "bench/driver/grid.h"
#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

std::string verdict_of(const Comparison& comparison, const Compared& one) {
  if (!one.error.empty()) return "ERROR";
  if (one.time == Change::slower && one.instructions == Change::slower) return "REGRESSED: time and instructions";
  if (one.instructions == Change::slower) return "REGRESSED: instructions";
  if (one.time == Change::slower)
    return one.base.instructions && one.fresh.instructions ? "REGRESSED: time at equal instructions"
                                                           : "REGRESSED: time";
  if (one.time == Change::faster || one.instructions == Change::faster) return "faster";
  return one.fresh.ns.empty() && comparison.judgement.times ? "not measured" : "";
}

constexpr int kDigits = 4;  // a change of 0.1 % is printed, so times must show it

std::string time_of(const std::vector<double>& ns) { return ns.empty() ? "-" : shown_time(median(ns), kDigits); }
std::string count_of(const std::optional<double>& count) { return count ? fmt::format("{:.1f}", *count) : "-"; }

/// The change that a reader computes from the two printed columns.
std::string change_of_times(const Compared& one) {
  return shown_change(as_shown(median(one.fresh.ns), kDigits) / as_shown(median(one.base.ns), kDigits));
}
std::string change_of_counts(const Compared& one) {
  return shown_change(std::stod(count_of(one.fresh.instructions)) / std::stod(count_of(one.base.instructions)));
}

std::vector<std::string> line_of(const Comparison& comparison, const Compared& one) {
  const bool timed = !one.base.ns.empty() && !one.fresh.ns.empty() && comparison.judgement.times;
  const bool counted = one.base.instructions && one.fresh.instructions && *one.base.instructions > 0;
  return {one.id,
          time_of(one.base.ns),
          time_of(one.fresh.ns),
          timed ? change_of_times(one) : "-",
          timed ? fmt::format("{} to {}", shown_change(one.interval.low), shown_change(one.interval.high)) : "-",
          timed ? fmt::format("{:.2g}", one.p) : "-",
          count_of(one.base.instructions),
          count_of(one.fresh.instructions),
          counted ? change_of_counts(one) : "-",
          verdict_of(comparison, one)};
}

}  // namespace

std::string comparison_text(const Comparison& comparison, bool all) {
  const Judgement& judgement = comparison.judgement;
  std::string text = fmt::format(
      "{} against {} on {}\n{}; gate {:g} % for time, {:g} % for instructions\n"
      "change: of the two printed columns; {}, with 99 %: it decides; p is corrected for all cases\n\n",
      comparison.fresh, comparison.base, comparison.cpu,
      judgement.paired ? "measured side by side, a new process for every sample (Wilcoxon's signed-rank test)"
                       : "measured at different times (Mann and Whitney's test)",
      100 * judgement.time_gate, 100 * judgement.gate,
      judgement.paired ? "change in pairs: the interval of the median of the paired ratios"
                       : "interval: of the ratio of the medians");
  std::vector<std::vector<std::string>> lines{{"case", "base", "new", "change",
                                               comparison.judgement.paired ? "change in pairs" : "interval", "p",
                                               "instructions: base", "new", "change", ""}};
  for (const Compared& one : comparison.cases)
    if (all || comparison.regressed(one) || !one.error.empty() || one.time != Change::none ||
        one.instructions != Change::none)
      lines.push_back(line_of(comparison, one));
  if (lines.size() > 1) text += grid(lines, {lines[0].size() - 1}) + "\n";
  if (!comparison.only_base.empty())
    text += fmt::format("only in the base: {}\n", fmt::join(comparison.only_base, ", "));
  if (!comparison.only_fresh.empty())
    text += fmt::format("only in the new one: {}\n", fmt::join(comparison.only_fresh, ", "));
  for (const Compared& one : comparison.cases)
    if (!one.error.empty()) text += fmt::format("error: {}: {}\n", one.id, one.error);
  for (const std::string& note : comparison.notes) text += fmt::format("note: {}\n", note);
  const auto faster = std::ranges::count_if(comparison.cases, [&](const Compared& one) {
    return !comparison.regressed(one) && (one.time == Change::faster || one.instructions == Change::faster);
  });
  text += fmt::format("{}{} of {} cases regressed, {} became faster, in {:.0f} s\n",
                      comparison.interrupted ? "interrupted, not confirmed: " : "", comparison.regressions(),
                      comparison.cases.size(), faster, comparison.seconds);
  return text;
}

}  // namespace plumbline::bench
