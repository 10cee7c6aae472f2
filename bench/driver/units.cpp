// Times, counts and shares as people read them.
#include "bench/driver/units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace plumbline::bench {

namespace {

std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  return value < 99.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

std::string shown_time(double ns) {
  if (ns < 999.5) return three_digits(ns) + " ns";
  if (ns < 999.5e3) return three_digits(ns / 1e3) + " µs";
  return ns < 999.5e6 ? three_digits(ns / 1e6) + " ms" : three_digits(ns / 1e9) + " s";
}

std::string shown_ratio(double ratio) { return three_digits(ratio) + "x"; }

std::string shown_change(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }

double share_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  std::erase(rest, ' ');
  if (rest == "%") value /= 100;
  if (error != std::errc() || (rest != "%" && !rest.empty()) || !std::isfinite(value) || value < 0 || value >= 10)
    throw std::runtime_error(fmt::format("'{}' is no share; write 3% or 0.03", text));
  return value;
}

}  // namespace plumbline::bench
