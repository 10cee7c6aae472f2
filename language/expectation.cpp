// Comparing a reading with what an assert expects.
#include "language/expectation.h"

#include <algorithm>
#include <cmath>

namespace plumbline::program {
namespace {

bool same_elements(const Values& a, const Values& b) {
  const auto size = [](const Values& v) { return v.floats.size() + v.integers.size(); };
  const auto known = [](const Values& v, std::size_t i) { return v.known.empty() || v.known[i]; };
  if (size(a) != size(b)) return false;
  for (std::size_t i = 0; i < size(a); ++i) {
    if (!known(a, i) || !known(b, i)) continue;
    if (!a.integers.empty() && !b.integers.empty()) {
      if (a.integers[i] != b.integers[i]) return false;
      continue;
    }
    const auto bound = [i](const Values& v) { return v.bounds.empty() ? 0 : v.bounds[i]; };
    const auto at = [i](const Values& v) {
      return v.integers.empty() ? v.floats[i] : static_cast<double>(v.integers[i]);
    };
    if (at(a) == at(b)) continue;
    const double allowed = std::max(bound(a), bound(b));
    if (allowed == 0 || !(std::fabs(at(a) - at(b)) <= allowed)) return false;  // false for nan too
  }
  return true;
}

bool same(const Reading& a, const Reading& b) {
  if (std::holds_alternative<Values>(a) && std::holds_alternative<Values>(b))
    return same_elements(std::get<Values>(a), std::get<Values>(b));
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, Failure> ||
                      std::is_same_v<T, Unspecified> || std::is_same_v<T, Values>) {
          return false;
        } else {
          return value == std::get<T>(b);
        }
      },
      a);
}

bool is_reading(const Reading& r) {
  return !std::holds_alternative<std::monostate>(r) && !std::holds_alternative<Failure>(r) &&
         !std::holds_alternative<Unspecified>(r);
}

bool begins_with(const Reading& reading, const Reading& expected) {
  const auto* list = std::get_if<std::vector<std::int64_t>>(&reading);
  const auto* start = std::get_if<std::vector<std::int64_t>>(&expected);
  return list != nullptr && start != nullptr && list->size() >= start->size() &&
         std::equal(start->begin(), start->end(), list->begin());
}

bool has_name(const Reading& reading, const std::string& name) {
  const auto* names = std::get_if<std::vector<std::string>>(&reading);
  return names != nullptr && std::find(names->begin(), names->end(), name) != names->end();
}

}  // namespace

bool meets(const Expectation& e, const Reading& reading, const Reading* other) {
  if (!is_reading(reading) || (e.same_as_statement && (other == nullptr || !is_reading(*other)))) return false;
  const bool holds = e.same_as_statement   ? same(reading, *other)
                     : !e.contains.empty() ? has_name(reading, e.contains)
                     : e.prefix            ? begins_with(reading, e.expected)
                                           : same(reading, e.expected);
  return holds != e.negated;
}

}  // namespace plumbline::program
