// The ratios of the rows with targets, as a picture, and how cost grows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/driver/growth_svg.h"
#include "bench/driver/statistics.h"
#include "bench/driver/svg.h"
#include "bench/driver/table.h"
#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

constexpr double kLabels = 400;
constexpr double kBars = 520;
constexpr double kNumbers = 150;
constexpr double kTop = 74;
constexpr double kStep = 24;
constexpr double kBottom = 40;
constexpr double kLowest = 0.5;
constexpr const char* kMet = "#2a7f62";
constexpr const char* kMissed = "#c0492b";
constexpr const char* kShown = "#7d8794";
constexpr const char* kAsked = "#111";
constexpr const char* kFloorColour = "#b8a14a";

void draw_axis(Svg& svg, const LogAxis& axis, double bottom) {
  const bool wide = axis.high > 500;  // otherwise the numbers of the lines would touch
  for (const double ratio : {0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 10000.0}) {
    if (ratio > axis.high) break;
    const double power = std::log10(ratio);
    if (wide && power != std::floor(power)) continue;
    svg.line(axis.at(ratio), kTop - 6, axis.at(ratio), bottom, ratio == 1 ? "#888" : "#e4e4e4");
    svg.text(axis.at(ratio), bottom + 16, fmt::format("{:g}x", ratio), Svg::Anchor::middle, 11, "#555");
  }
}

void draw_row(Svg& svg, const TableReport& report, const Row& row, const LogAxis& axis, double y) {
  svg.text(kLabels - 10, y + 12, row.target->title, Svg::Anchor::end);
  // A row whose only target is against the tuned LibTorch shows that ratio.
  const bool tuned = row.target->ratio == 0 && row.target->tuned_ratio != 0;
  const auto ratio = tuned ? row.tuned_ratio() : row.ratio();
  if (!ratio) return svg.text(kLabels + 4, y + 12, "not measured", Svg::Anchor::start, 11, kShown);
  const auto met = report.met(row);
  const double one = axis.at(1);
  const double end = axis.at(ratio->value);
  svg.rectangle(std::min(one, end), y, std::abs(end - one), 16, !met ? kShown : *met ? kMet : kMissed);
  const Beside& run = (tuned && row.tuned.contains(ratio->version) ? row.tuned : row.stock).at(ratio->version);
  if (const auto floor = row.floor_ns(); floor && !run.libtorch.empty())
    svg.line(axis.at(median(run.libtorch) / *floor), y + 2, axis.at(median(run.libtorch) / *floor), y + 14,
             kFloorColour, 3);
  double asked = tuned ? row.target->tuned_ratio : row.target->ratio;
  if (const Row* other = report.row(std::string(row.target->as)); other != nullptr && other->ratio())
    asked = other->ratio()->value;
  if (asked > 0) svg.line(axis.at(asked), y - 3, axis.at(asked), y + 19, kAsked, 2);
  svg.text(kLabels + kBars + 8, y + 12,
           fmt::format("{} vs {}{}", shown_ratio(ratio->value), ratio->version, tuned ? " tuned" : ""),
           Svg::Anchor::start, 11, "#333");
}

/// The rows with targets, as bars from `top` on, where the highest ratio that is drawn is `highest`.
void draw_ratios(Svg& svg, const TableReport& report, const std::vector<const Row*>& rows, double highest) {
  svg.text(10, 22, "How many times faster than LibTorch", Svg::Anchor::start, 16);
  svg.text(10, 42,
           fmt::format("against the faster LibTorch, in one process; {}; logarithmic; black: target, ochre: floor",
                       report.cpu),
           Svg::Anchor::start, 12, "#555");
  const LogAxis axis{kLabels, kBars, kLowest, highest};
  draw_axis(svg, axis, kTop + kStep * static_cast<double>(rows.size()));
  double y = kTop;
  for (const Row* row : rows) {
    draw_row(svg, report, *row, axis, y);
    y += kStep;
  }
}

}  // namespace

std::string table_svg(const TableReport& report) {
  std::vector<const Row*> rows;
  double highest = 60;
  for (const Row& row : report.rows) {
    if (row.target == nullptr) continue;
    rows.push_back(&row);
    if (const auto ratio = row.ratio()) highest = std::max(highest, 1.15 * ratio->value);
    if (const auto floor = row.floor_ns())
      for (const auto& [version, run] : row.stock)
        if (!run.libtorch.empty()) highest = std::max(highest, 1.15 * median(run.libtorch) / *floor);
    highest = std::max(highest, 1.15 * row.target->ratio);
  }
  const std::vector<Growth> series = growths(report);
  const double bottom = rows.empty() ? 0 : kTop + kStep * static_cast<double>(rows.size()) + kBottom;
  Svg svg(kLabels + kBars + kNumbers, bottom + growth_height(series),
          "How many times faster than the faster LibTorch, by row, and how cost grows");
  if (!rows.empty()) draw_ratios(svg, report, rows, highest);
  draw_growths(svg, series, bottom);
  return svg.close();
}

}  // namespace plumbline::bench
