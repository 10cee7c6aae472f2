// The ratio of each case with its interval, as a picture.
#include <fmt/format.h>

#include <algorithm>

#include "bench/driver/compare.h"
#include "bench/driver/svg.h"
#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

constexpr double kLabels = 260;
constexpr double kAxis = 480;
constexpr double kNumbers = 200;
constexpr double kTop = 74;
constexpr double kStep = 20;
constexpr double kBottom = 40;
constexpr double kNarrowest = 1.2;  // the axis has at least 1/1.2 to 1.2
constexpr const char* kSlower = "#c0492b";
constexpr const char* kFaster = "#2a7f62";
constexpr const char* kSame = "#7d8794";

std::string_view color_of(const Comparison& comparison, const Compared& one) {
  if (comparison.regressed(one)) return kSlower;
  return one.time == Change::faster || one.instructions == Change::faster ? kFaster : kSame;
}

void draw_case(Svg& svg, const Comparison& comparison, const Compared& one, const LogAxis& axis, double y) {
  const std::string_view color = color_of(comparison, one);
  svg.text(kLabels - 10, y + 4, one.id, Svg::Anchor::end);
  svg.line(axis.at(one.interval.low), y, axis.at(one.interval.high), y, color, 3);
  svg.dot(axis.at(one.ratio), y, 4, color);
  std::string numbers = shown_change(one.ratio);
  if (one.base.instructions && one.fresh.instructions && *one.base.instructions > 0)
    numbers += fmt::format(", instructions {}", shown_change(*one.fresh.instructions / *one.base.instructions));
  svg.text(kLabels + kAxis + 8, y + 4, numbers, Svg::Anchor::start, 11, "#333");
}

}  // namespace

std::string comparison_svg(const Comparison& comparison) {
  std::vector<const Compared*> cases;
  double widest = kNarrowest;
  for (const Compared& one : comparison.cases) {
    if (one.base.ns.empty() || one.fresh.ns.empty() || one.interval.low <= 0) continue;
    cases.push_back(&one);
    widest = std::max({widest, 1.05 * one.interval.high, 1.05 / one.interval.low});
  }
  const double bottom = kTop + kStep * static_cast<double>(cases.size());
  Svg svg(kLabels + kAxis + kNumbers, bottom + kBottom, "Time of the new one divided by that of the base, by case");
  svg.text(10, 22, fmt::format("{} against {}", comparison.fresh, comparison.base), Svg::Anchor::start, 16);
  svg.text(10, 42,
           fmt::format("change of time in pairs, with 99 % intervals; slower is to the right; gate {:g} %; {}",
                       100 * comparison.judgement.time_gate, comparison.cpu),
           Svg::Anchor::start, 12, "#555");
  const LogAxis axis{kLabels, kAxis, 1 / widest, widest};
  for (const double ratio : {1 / widest, 1.0, widest}) {
    svg.line(axis.at(ratio), kTop - 12, axis.at(ratio), bottom, ratio == 1 ? "#888" : "#e4e4e4");
    svg.text(axis.at(ratio), bottom + 16, shown_change(ratio), Svg::Anchor::middle, 11, "#555");
  }
  const double gate = axis.at(1 + comparison.judgement.time_gate);
  svg.line(gate, kTop - 12, gate, bottom, "#e0a080");
  double y = kTop;
  for (const Compared* one : cases) {
    draw_case(svg, comparison, *one, axis, y);
    y += kStep;
  }
  return svg.close();
}

}  // namespace plumbline::bench
