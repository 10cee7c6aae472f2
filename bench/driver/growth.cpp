// How cost grows: which rows make a series, and the slope of each side.
#include "bench/driver/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "bench/driver/grid.h"
#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

constexpr std::size_t kLeast = 3;  // two points always lie on a line

struct Grows {
  Call call;
  std::string_view title;
  std::string_view thing;
  double asked;
};
constexpr std::array kGrowing{Grows{Call::deep, "views of views", "views deep", 1},
                              Grows{Call::rows, "rows of one base, each written", "aliases", 1},
                              Grows{Call::alive, "add while tensors are alive", "tensors alive", 0},
                              Grows{Call::nested, "InferenceMode guard", "guards deep", 0}};

/// The slope of log(items * ns) over log(size).
double exponent_of(const std::vector<const Row*>& rows, const std::vector<double>& ns) {
  const auto n = static_cast<double>(rows.size());
  double sx = 0;
  double sy = 0;
  double sxx = 0;
  double sxy = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = std::log(static_cast<double>(rows[i]->what.size));
    const double y = std::log(static_cast<double>(items_of(rows[i]->what)) * ns[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// The fastest repetitions of one side, since whatever else the machine does adds to a time. Empty if a row has no
/// times.
template <class Pick>
std::optional<Curve> curve_of(std::string side, const std::vector<const Row*>& rows, const Pick& pick) {
  Curve curve{std::move(side), {}, 0};
  for (const Row* row : rows) {
    const std::vector<double> ns = pick(*row);
    if (ns.empty()) return std::nullopt;
    curve.ns.push_back(std::ranges::min(ns));
  }
  curve.exponent = exponent_of(rows, curve.ns);
  return curve;
}

std::vector<double> ours_of(const Row& row) {
  std::vector<double> all;
  for (const auto& [version, run] : row.stock) all.insert(all.end(), run.ours.begin(), run.ours.end());
  return all;
}

std::optional<Growth> growth_of(const TableReport& report, const Grows& grows, Mode mode) {
  std::vector<const Row*> rows;
  for (const Row& row : report.rows)
    if (row.what.call == grows.call && row.what.mode == mode && row.what.threads == Threads::one && row.measured() &&
        row.error.empty())
      rows.push_back(&row);
  if (rows.size() < kLeast) return std::nullopt;
  std::ranges::sort(rows, {}, [](const Row* row) { return row->what.size; });
  auto ours = curve_of("ours", rows, ours_of);
  if (!ours) return std::nullopt;
  Growth growth{fmt::format("{}, {}", grows.title, name_of(mode)), std::string(grows.thing), {}, {*ours}, grows.asked};
  for (const Row* row : rows) growth.sizes.push_back(row->what.size);
  for (const std::string& version : report.versions) {
    const auto libtorch = curve_of("LibTorch " + version, rows, [&](const Row& row) {
      const auto run = row.stock.find(version);
      return run == row.stock.end() ? std::vector<double>() : run->second.libtorch;
    });
    if (libtorch) growth.curves.push_back(*libtorch);
  }
  return growth;
}

std::string shown_growth(const Growth& growth, const Curve& curve) {
  const std::string shape = fmt::format("size^{:.2f}", curve.exponent);
  if (&curve != &growth.curves.front()) return shape;
  const std::string_view asked = growth.asked == 0 ? "constant" : "linear";
  return fmt::format("{}: {}{}", shape, growth.kept() ? "" : "NOT ", asked);
}

}  // namespace

std::vector<Growth> growths(const TableReport& report) {
  std::vector<Growth> all;
  for (const Grows& grows : kGrowing)
    for (const Mode mode : {Mode::normal, Mode::inference, Mode::functional})
      if (auto growth = growth_of(report, grows, mode)) all.push_back(std::move(*growth));
  return all;
}

std::string growth_text(const std::vector<Growth>& growths) {
  std::string text;
  for (const Growth& growth : growths) {
    std::vector<std::vector<std::string>> lines{{growth.title}};
    for (const std::int64_t size : growth.sizes) lines[0].push_back(fmt::format("{} {}", size, growth.thing));
    lines[0].emplace_back("the whole grows as");
    for (const Curve& curve : growth.curves) {
      std::vector<std::string> line{"  " + curve.side};
      for (const double ns : curve.ns) line.push_back(shown_time(ns));
      line.push_back(shown_growth(growth, curve));
      lines.push_back(line);
    }
    text += "\n" + grid(lines, {lines[0].size() - 1});
  }
  return text.empty()
             ? ""
             : "\nHow cost grows: the time of one view, alias or call at each size, by the fastest repetition\n" + text;
}

}  // namespace plumbline::bench
