// Times, counts and shares as people read them.
#include "bench/driver/units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace plumbline::bench {

namespace {

/// How many decimals a number of so many digits has.
int decimals_of(double value, int digits) {
  int decimals = digits - 1;
  while (decimals > 0 && value >= std::pow(10, digits - decimals) - 0.5 * std::pow(10, -decimals)) --decimals;
  return decimals;
}
std::string in_digits(double value, int digits) { return fmt::format("{:.{}f}", value, decimals_of(value, digits)); }

struct Unit {
  double ns = 1;
  std::string_view name;
};
Unit unit_of(double ns, int digits) {
  const double most = 1000 - 0.5 * std::pow(10, 3 - digits);
  if (ns < most) return {1, "ns"};
  if (ns < most * 1e3) return {1e3, "µs"};
  return ns < most * 1e6 ? Unit{1e6, "ms"} : Unit{1e9, "s"};
}

}  // namespace

std::string shown_time(double ns, int digits) {
  const Unit unit = unit_of(ns, digits);
  return fmt::format("{} {}", in_digits(ns / unit.ns, digits), unit.name);
}

double as_shown(double ns, int digits) {
  const Unit unit = unit_of(ns, digits);
  return std::stod(in_digits(ns / unit.ns, digits)) * unit.ns;
}

std::string shown_ratio(double ratio) { return in_digits(ratio, 3) + "x"; }

std::string shown_change(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }

double share_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  std::erase(rest, ' ');
  if (rest == "%") value /= 100;
  if (error != std::errc() || (rest != "%" && !rest.empty()) || !std::isfinite(value) || value < 0 || value >= 10)
    throw std::runtime_error(fmt::format("'{}' is not a share; write 3% or 0.03", text));
  return value;
}

}  // namespace plumbline::bench
