// The numbers of float16 and bfloat16.
#include "spec/vocabulary/half.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumbline {

double ulp_of_half(double value, Dtype half) {
  const HalfFormat format = format_of(half);
  const double size = std::fabs(value);
  const int exponent = size == 0 ? format.least_exponent : std::max(std::ilogb(size), format.least_exponent);
  return std::ldexp(1.0, exponent - format.digits + 1);
}

double rounded_to_half(double value, Dtype half) {
  const double single = static_cast<double>(static_cast<float>(value));
  if (!std::isfinite(single) || single == 0) return single;
  const double unit = ulp_of_half(single, half);
  const double size = std::nearbyint(std::fabs(single) / unit) * unit;
  const double near = size > format_of(half).greatest ? std::numeric_limits<double>::infinity() : size;
  return std::copysign(near, single);
}

std::uint16_t bits_of_half(double value, Dtype half) {
  const HalfFormat format = format_of(half);
  const int fraction_bits = format.digits - 1;
  const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
  const auto all_ones = (1U << (15 - fraction_bits)) - 1;
  const double size = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((all_ones << fraction_bits) | (1U << (fraction_bits - 1)));
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | (all_ones << fraction_bits));
  // A subnormal number has the exponent 0 and no hidden one, so its units are its bits.
  const auto units = static_cast<unsigned>(size / ulp_of_half(size, half));
  if (units < 1U << fraction_bits) return static_cast<std::uint16_t>(sign | units);
  const auto biased = static_cast<unsigned>(std::ilogb(size) - format.least_exponent + 1);
  return static_cast<std::uint16_t>(sign | (biased << fraction_bits) | (units - (1U << fraction_bits)));
}

double half_of_bits(std::uint16_t bits, Dtype half) {
  const HalfFormat format = format_of(half);
  const int fraction_bits = format.digits - 1;
  const unsigned all_ones = (1U << (15 - fraction_bits)) - 1;
  const unsigned exponent = (bits >> fraction_bits) & all_ones;
  const unsigned fraction = bits & ((1U << fraction_bits) - 1);
  double size = 0;
  if (exponent == all_ones) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    const unsigned units = exponent == 0 ? fraction : fraction + (1U << fraction_bits);
    const int scale = std::max(static_cast<int>(exponent), 1) - 1 + format.least_exponent - fraction_bits;
    size = std::ldexp(static_cast<double>(units), scale);
  }
  return (bits & 0x8000U) != 0 ? -size : size;
}

}  // namespace plumbline
