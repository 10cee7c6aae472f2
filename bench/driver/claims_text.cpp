// The claims as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/driver/claims_report.h"
#include "bench/driver/grid.h"
#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

constexpr const char* kNone = "-";

std::string shown_margins(const ClaimsReport& report) {
  std::vector<std::string> margins;
  for (const std::string& side : report.sides)
    margins.push_back(fmt::format("{} {:.1f} %", side, 100 * report.margin(side)));
  return fmt::format("{}", fmt::join(margins, ", "));
}

std::vector<std::string> line_of(const ClaimsReport& report, const MeasuredPair& pair, const std::string& side) {
  const auto times = pair.sides.find(side);
  if (times == pair.sides.end()) return {"", side, kNone, kNone, kNone, kNone, "this side does not have the row"};
  if (!times->second.error.empty()) return {"", side, kNone, kNone, kNone, kNone, "ERROR"};
  const PairVerdict verdict = report.verdict(pair, side);
  if (verdict.holds == Holds::not_there) return {"", side, kNone, kNone, kNone, kNone, "not measured"};
  return {"",
          side,
          shown_time(verdict.left_ns),
          shown_time(verdict.right_ns),
          shown_ratio(verdict.ratio),
          fmt::format("{} to {}", shown_ratio(verdict.interval.low), shown_ratio(verdict.interval.high)),
          std::string(name_of(verdict.holds))};
}

std::string claim_text(const ClaimsReport& report, const MeasuredClaim& measured) {
  std::vector<std::vector<std::string>> lines{
      {"  pair", "side", "left", "right", "left/right", "99 % interval", "claim"}};
  for (const MeasuredPair& pair : measured.pairs) {
    bool first = true;
    for (const std::string& side : report.sides) {
      lines.push_back(line_of(report, pair, side));
      if (first) lines.back().front() = "  " + text_of(pair.pair);
      first = false;
    }
  }
  return fmt::format("\n{} ({}): {}\n", measured.claim->name, fmt::join(measured.claim->sentences, ", "),
                     measured.claim->says) +
         grid(lines, {1, lines[0].size() - 1});
}

/// Each claim in a line, with its verdict on each side.
std::string summary(const ClaimsReport& report) {
  std::vector<std::vector<std::string>> lines{{"claim", "sentences"}};
  lines[0].insert(lines[0].end(), report.sides.begin(), report.sides.end());
  for (const MeasuredClaim& measured : report.claims) {
    std::vector<std::string> line{std::string(measured.claim->name),
                                  fmt::format("{}", fmt::join(measured.claim->sentences, ", "))};
    for (const std::string& side : report.sides) {
      const auto held = std::ranges::count_if(
          measured.pairs, [&](const MeasuredPair& pair) { return report.verdict(pair, side).holds == Holds::yes; });
      const auto there = std::ranges::count_if(measured.pairs, [&](const MeasuredPair& pair) {
        return report.verdict(pair, side).holds != Holds::not_there;
      });
      line.push_back(there == 0 ? kNone
                                : fmt::format("{}, {} of {}", name_of(report.verdict(measured, side)), held, there));
    }
    lines.push_back(line);
  }
  std::vector<std::size_t> left(lines[0].size() - 1);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i + 1;
  return "\n" + grid(lines, left);
}

}  // namespace

std::string claims_text(const ClaimsReport& report) {
  std::string text = fmt::format(
      "{}, {} CPUs; one pinned thread; medians of {} processes\n"
      "Each process times the two rows of a pair one right after the other; the fastest of five repetitions counts.\n"
      "left/right is the ratio of the two printed medians; the interval holds it with 99 %.\n"
      "The margin of the measurement, by rows beside themselves: {}.\n"
      "\"holds\" and \"does not hold\": the interval, widened by the margin, is wholly on that side of the limit; "
      "\"within noise\": it is not.\n",
      report.cpu, report.cpus, report.rounds, shown_margins(report));
  for (const MeasuredClaim& measured : report.claims) text += claim_text(report, measured);
  text += summary(report);
  for (const MeasuredClaim& measured : report.claims)
    for (const MeasuredPair& pair : measured.pairs)
      for (const auto& [side, times] : pair.sides)
        if (!times.error.empty()) text += fmt::format("error: {}, {}: {}\n", text_of(pair.pair), side, times.error);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("\n{}{} {} on {} {} in {:.0f} s\n", report.interrupted ? "interrupted: " : "",
                      report.claims.size(), report.claims.size() == 1 ? "claim" : "claims", report.sides.size(),
                      report.sides.size() == 1 ? "side" : "sides", report.seconds);
  return text;
}

}  // namespace plumbline::bench
