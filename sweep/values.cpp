// Reading elements from hexadecimal text.
#include "sweep/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

namespace plumbline::sweep {

namespace {

constexpr std::size_t kShown = 12;

std::optional<std::string> raw(const std::string& hex) {
  std::string bytes;
  if (hex.size() % 2 != 0) return std::nullopt;
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]);
    const int low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

template <class T>
std::vector<double> numbers_as(const std::string& bytes) {
  std::vector<double> all;
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    all.push_back(static_cast<double>(value));
  }
  return all;
}

/// A bfloat16 is the upper half of a float.
std::vector<double> bfloats(const std::string& bytes) {
  std::vector<double> all;
  for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + at, sizeof half);
    const std::uint32_t whole = static_cast<std::uint32_t>(half) << 16U;
    float value = 0;
    std::memcpy(&value, &whole, sizeof value);
    all.push_back(value);
  }
  return all;
}

std::vector<double> halves(const std::string& bytes) {
  std::vector<double> all;
  for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + at, sizeof half);
    const int exponent = (half >> 10U) & 31;
    const double mantissa = half & 1023U;
    double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
    if (exponent == 31) value = mantissa == 0 ? HUGE_VAL : NAN;
    all.push_back((half & 0x8000U) != 0 ? -value : value);
  }
  return all;
}

/// Nothing if they are not shown, or the dtype has no numbers.
std::optional<std::vector<double>> numbers(const Facts& f) {
  const auto bytes = raw(f.bytes);
  if (!bytes) return std::nullopt;
  if (f.dtype == "float32" || f.dtype == "complex64") return numbers_as<float>(*bytes);
  if (f.dtype == "float64" || f.dtype == "complex128") return numbers_as<double>(*bytes);
  if (f.dtype == "int64") return numbers_as<std::int64_t>(*bytes);
  if (f.dtype == "int32") return numbers_as<std::int32_t>(*bytes);
  if (f.dtype == "int16") return numbers_as<std::int16_t>(*bytes);
  if (f.dtype == "int8") return numbers_as<std::int8_t>(*bytes);
  if (f.dtype == "uint8" || f.dtype == "bool") return numbers_as<std::uint8_t>(*bytes);
  if (f.dtype == "bfloat16") return bfloats(*bytes);
  if (f.dtype == "float16") return halves(*bytes);
  return std::nullopt;
}

/// How far two elements may be apart, relative to the larger one and to the largest of the tensor.
double rounding(const std::string& dtype) {
  if (dtype == "float64" || dtype == "complex128") return 1e-11;
  if (dtype == "float32" || dtype == "complex64") return 1e-4;
  return dtype == "bfloat16" ? 0.05 : dtype == "float16" ? 0.01 : 0;
}

}  // namespace

std::string show_elements(const Facts& facts) {
  if (!facts.defined) return "no tensor";
  const auto all = numbers(facts);
  if (!all || facts.bytes.empty()) return fmt::format("{} {}", facts.dtype, facts.bytes.substr(0, 24));
  std::vector<std::string> texts;
  const std::size_t step = is_complex(facts.dtype) ? 2 : 1;
  for (std::size_t i = 0; i + step <= std::min(all->size(), kShown); i += step)
    texts.push_back(step == 1 ? fmt::format("{}", (*all)[i]) : fmt::format("{}{:+}j", (*all)[i], (*all)[i + 1]));
  return fmt::format("{} [{}{}]", facts.dtype, fmt::join(texts, ", "), all->size() > kShown ? ", …" : "");
}

bool nearly_equal(const Facts& a, const Facts& b) {
  if (a.dtype != b.dtype || a.sizes != b.sizes) return false;
  if (a.bytes == b.bytes) return true;
  const auto left = numbers(a);
  const auto right = numbers(b);
  if (!left || !right || left->size() != right->size()) return false;
  double largest = 0;
  for (const double x : *left)
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
  for (std::size_t i = 0; i < left->size(); ++i) {
    const double x = (*left)[i];
    const double y = (*right)[i];
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!(std::fabs(x - y) <= rounding(a.dtype) * std::max(largest, 1.0))) return false;
  }
  return true;
}

}  // namespace plumbline::sweep
