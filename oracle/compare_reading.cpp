// Comparing one reading with another.
#include "oracle/compare_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "oracle/compare_message.h"
#include "spec/vocabulary/half.h"
#include "spec/vocabulary/keys.h"

namespace plumbline {

namespace {

using Names = std::vector<std::string>;

/// The position of a value among the numbers of its dtype: the next number has the next integer; 0 and −0 share one.
template <class Bits, class Float>
std::int64_t rank(Float value) {
  const auto bits = static_cast<std::int64_t>(std::bit_cast<Bits>(value));
  return bits < 0 ? std::numeric_limits<Bits>::min() - bits : bits;
}

std::int64_t rank_of_half(double value, Dtype dtype) {
  const std::int64_t size = bits_of_half(std::fabs(value), dtype);
  return value < 0 ? -size : size;
}

bool both_float32(const Values& a, const Values& b) {
  const auto fits = [](double v) { return std::isnan(v) || static_cast<double>(static_cast<float>(v)) == v; };
  return std::ranges::all_of(a.floats, fits) && std::ranges::all_of(b.floats, fits);
}

/// `bound`: how much `got` may differ; 0: not at all.
bool same_number(double expected, double got, double bound, const Measure& measure, Dtype dtype) {
  if (std::isnan(expected) && std::isnan(got)) return true;
  if (std::bit_cast<std::uint64_t>(expected) == std::bit_cast<std::uint64_t>(got)) return true;
  if (bound == 0) return false;
  if (std::fabs(expected - got) <= bound) return true;
  const auto distance = ulps_between(expected, got, dtype);
  return distance && *distance <= static_cast<std::uint64_t>(measure.closeness.ulps);
}

Agreement compare_values(const Values& expected, const Values& got, const Measure& measure) {
  if (expected.floats.size() != got.floats.size() || expected.integers.size() != got.integers.size())
    return Agreement::differs;
  const Dtype dtype = part_of(measure.dtype.value_or(both_float32(expected, got) ? Dtype::float32 : Dtype::float64));
  const auto known = [&](std::size_t i) { return expected.known.empty() || expected.known[i]; };
  bool all_known = true;
  for (std::size_t i = 0; i < expected.floats.size() + expected.integers.size(); ++i) {
    all_known = all_known && known(i);
    if (!known(i)) continue;
    const bool same = expected.integers.empty()
                          ? same_number(expected.floats[i], got.floats[i],
                                        expected.bounds.empty() ? 0 : expected.bounds[i], measure, dtype)
                          : expected.integers[i] == got.integers[i];
    if (!same) return Agreement::differs;
  }
  return all_known ? Agreement::same : Agreement::unspecified;
}

/// The known keys, under c10's short names for dense backends: "CPU" for "DenseCPU".
std::set<std::string> projected(const Names& names) {
  constexpr std::string_view kDense = "Dense";
  std::set<std::string> kept;
  for (const std::string& name : names)
    if (is_known_key(name)) kept.insert(name.starts_with(kDense) && name != kDense ? name.substr(kDense.size()) : name);
  return kept;
}

std::string category(Field field, const Reading& reading) {
  if (const auto* truth = std::get_if<bool>(&reading)) return *truth ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&reading)) return *text;
  if (const auto* failure = std::get_if<Failure>(&reading)) return std::string(name_of(failure->error));
  if (std::holds_alternative<None>(reading)) return "none";
  if (std::holds_alternative<Unspecified>(reading)) return "unspecified";
  if (std::holds_alternative<std::monostate>(reading)) return "unsupported";
  const auto* integer = std::get_if<std::int64_t>(&reading);
  if (integer != nullptr && field == Field::base) return *integer == -1 ? "none" : *integer < 0 ? "elsewhere" : "slot";
  return "value";
}

/// "+A -B": first the extra keys, then the missing ones.
std::string key_changes(const Names& expected, const Names& got) {
  const auto e = projected(expected);
  const auto g = projected(got);
  std::string text;
  for (const auto& name : g)
    if (!e.contains(name)) text += fmt::format("{}+{}", text.empty() ? "" : " ", name);
  for (const auto& name : e)
    if (!g.contains(name)) text += fmt::format("{}-{}", text.empty() ? "" : " ", name);
  return text;
}

Agreement compare_content(Field field, const Reading& expected, const Reading& got, const Measure& measure) {
  if (expected.index() != got.index()) return Agreement::differs;
  if (const auto* values = std::get_if<Values>(&expected))
    return compare_values(*values, std::get<Values>(got), measure);
  const bool same = std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, Names>)
          return value == std::get<T>(got) || (field == Field::keys && projected(value) == projected(std::get<T>(got)));
        else if constexpr (std::is_same_v<T, Failure> || std::is_same_v<T, Values>)
          return false;  // handled before
        else
          return value == std::get<T>(got);
      },
      expected);
  return same ? Agreement::same : Agreement::differs;
}

Agreement agreement(Field field, const Reading& expected, const Reading& got, const Measure& measure) {
  if (measure.field == Strictness::ignore) return Agreement::ignored;
  if (std::holds_alternative<std::monostate>(got)) return Agreement::unsupported;
  if (std::holds_alternative<Unspecified>(expected)) return Agreement::unspecified;
  const auto* wanted = std::get_if<Failure>(&expected);
  const auto* failed = std::get_if<Failure>(&got);
  if (wanted == nullptr && failed == nullptr)
    return measure.field == Strictness::exact ? compare_content(field, expected, got, measure) : Agreement::same;
  if (measure.errors == Strictness::ignore) return Agreement::ignored;
  if (wanted == nullptr || failed == nullptr) return Agreement::differs;
  const Strictness errors = measure.field == Strictness::exact ? measure.errors : Strictness::kind;
  return same_failure(*wanted, *failed, errors, measure.words) ? Agreement::same : Agreement::differs;
}

}  // namespace

bool is_known_key(std::string_view name) {
  if (std::ranges::find(kBackendNames, name) != kBackendNames.end()) return true;
  for (int f = 1; f <= kFunctionalities; ++f) {
    const std::string_view functionality = kFunctionalityNames[static_cast<std::size_t>(f)];
    if (name == functionality) return true;
    if (is_per_backend(static_cast<Functionality>(f)) && name.starts_with(functionality) &&
        std::ranges::find(kBackendNames, name.substr(functionality.size())) != kBackendNames.end())
      return true;
  }
  return false;
}

std::optional<std::uint64_t> ulps_between(double a, double b, Dtype dtype) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (std::isinf(a) || std::isinf(b)) return a == b ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (is_half(dtype)) {
    const std::int64_t distance = rank_of_half(a, dtype) - rank_of_half(b, dtype);
    return static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
  }
  const bool narrow = dtype == Dtype::float32;
  const std::int64_t x = narrow ? rank<std::int32_t>(static_cast<float>(a)) : rank<std::int64_t>(a);
  const std::int64_t y = narrow ? rank<std::int32_t>(static_cast<float>(b)) : rank<std::int64_t>(b);
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

bool same_error(ErrorClass expected, ErrorClass got, Strictness errors) {
  if (errors == Strictness::ignore) return true;
  if (expected == ErrorClass::none || got == ErrorClass::none || errors == Strictness::kind)
    return (expected == ErrorClass::none) == (got == ErrorClass::none);
  return expected == got && expected != ErrorClass::unclassified;
}

bool same_failure(const Failure& expected, const Failure& got, Strictness errors, std::string_view version) {
  if (expected.error == ErrorClass::by_schema && errors != Strictness::ignore)  // the words are the implementation's
    return got.error != ErrorClass::none && (errors == Strictness::kind || expected.message == got.message);
  if (!same_error(expected.error, got.error, errors)) return false;
  // The words of an error that the program raises are the program's own.
  if (errors == Strictness::classes && expected.error == ErrorClass::raised) errors = Strictness::exact;
  return errors != Strictness::exact || expected.error == ErrorClass::none || expected.any_words ||
         same_words(expected, got, version.empty() ? "2.13" : version);
}

std::string difference_shape(Field field, const Reading& expected, const Reading& got) {
  const auto* wanted = std::get_if<Names>(&expected);
  const auto* names = std::get_if<Names>(&got);
  if (wanted != nullptr && names != nullptr) return field == Field::keys ? key_changes(*wanted, *names) : "";
  const auto* raised = std::get_if<Failure>(&expected);
  const auto* failed = std::get_if<Failure>(&got);
  if (raised != nullptr && failed != nullptr && raised->error == failed->error)
    return fmt::format("message of {}", name_of(raised->error));
  const std::string from = category(field, expected);
  const std::string to = category(field, got);
  return from == "value" && to == "value" ? "" : fmt::format("{} -> {}", from, to);
}

ReadingComparison compare_reading(Field field, const Reading& expected, const Reading& got, const Measure& measure) {
  const Agreement found = agreement(field, expected, got, measure);
  return {found, found == Agreement::differs ? difference_shape(field, expected, got) : ""};
}

ReadingComparison compare_reading(ThreadField, const Reading& expected, const Reading& got, const Measure& measure) {
  return compare_reading(Field::keys, expected, got, measure);  // a thread's fields are truths and key sets
}

ReadingComparison compare_answer(const Reading& expected, const Reading& got) {
  return compare_reading(Field::requires_grad, expected, got, {});  // as truths are, not as key sets are
}

}  // namespace plumbline
