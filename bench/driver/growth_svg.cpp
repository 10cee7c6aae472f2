// How cost grows, as pictures with logarithmic axes. If the whole is linear in the size, the curve for one is flat.
#include "bench/driver/growth_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

constexpr double kPanel = 480;
constexpr double kPlot_left = 70;
constexpr double kPlot_width = 280;
constexpr double kPlot_height = 170;
constexpr double kPanel_height = 256;
constexpr int kPanels = 2;  // in a row
constexpr std::array kColors{"#2a7f62", "#c0492b", "#d9a441", "#7d8794"};

void draw_axes(Svg& svg, const Growth& growth, const LogAxis& across, const LogAxis& up, double top) {
  const double bottom = top + kPlot_height;
  const int decades = static_cast<int>(std::lround(std::log10(up.high / up.low)));
  for (int decade = 0; decade <= decades; ++decade) {
    const double ns = up.low * std::pow(10, decade);
    const double y = bottom - (up.at(ns) - up.left);
    svg.line(across.left, y, across.left + across.width, y, "#e4e4e4");
    svg.text(across.left - 6, y + 4, fmt::format("{}", shown_time(ns)), Svg::Anchor::end, 11, "#555");
  }
  for (const std::int64_t size : growth.sizes) {
    const double x = across.at(static_cast<double>(size));
    svg.line(x, bottom, x, bottom + 4, "#888");
    svg.text(x, bottom + 17, fmt::format("{}", size), Svg::Anchor::middle, 11, "#555");
  }
  svg.text(across.left + across.width / 2, bottom + 33, growth.thing, Svg::Anchor::middle, 11, "#555");
}

void draw_growth(Svg& svg, const Growth& growth, double left, double top) {
  svg.text(left + 10, top + 16, fmt::format("{}: time of one", growth.title), Svg::Anchor::start, 13);
  double least = growth.curves.front().ns.front();
  double most = least;
  for (const Curve& curve : growth.curves) {
    least = std::min(least, *std::ranges::min_element(curve.ns));
    most = std::max(most, *std::ranges::max_element(curve.ns));
  }
  // Whole decades.
  const LogAxis up{0, kPlot_height, std::pow(10, std::floor(std::log10(least))),
                   std::pow(10, std::max(std::ceil(std::log10(most)), std::floor(std::log10(least)) + 1))};
  const LogAxis across{left + kPlot_left, kPlot_width, static_cast<double>(growth.sizes.front()),
                       static_cast<double>(growth.sizes.back())};
  const double plot_top = top + 28;
  draw_axes(svg, growth, across, up, plot_top);
  for (std::size_t c = 0; c < growth.curves.size(); ++c) {
    const Curve& curve = growth.curves[c];
    const std::string_view color = kColors.at(c % kColors.size());
    double x = 0;
    double y = 0;
    for (std::size_t i = 0; i < curve.ns.size(); ++i) {
      const double to_x = across.at(static_cast<double>(growth.sizes[i]));
      const double to_y = plot_top + kPlot_height - up.at(curve.ns[i]);
      if (i != 0) svg.line(x, y, to_x, to_y, color, 2);
      svg.dot(to_x, to_y, 3, color);
      x = to_x;
      y = to_y;
    }
    const double legend = plot_top + 14 + 32 * static_cast<double>(c);
    svg.text(across.left + across.width + 12, legend, curve.side, Svg::Anchor::start, 11, color);
    svg.text(across.left + across.width + 12, legend + 13, fmt::format("whole: size^{:.2f}", curve.exponent),
             Svg::Anchor::start, 11, "#555");
  }
}

}  // namespace

double growth_height(const std::vector<Growth>& growths) {
  return kPanel_height * std::ceil(static_cast<double>(growths.size()) / kPanels);
}

void draw_growths(Svg& svg, const std::vector<Growth>& growths, double top) {
  for (std::size_t i = 0; i < growths.size(); ++i) {
    const std::size_t row = i / kPanels;
    draw_growth(svg, growths[i], kPanel * static_cast<double>(i % kPanels),
                top + kPanel_height * static_cast<double>(row));
  }
}

}  // namespace plumbline::bench
