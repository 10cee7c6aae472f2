// The numbers of float16 and bfloat16, as c10 rounds to them and as they stand in memory.
#pragma once

#include <cstdint>

#include "spec/vocabulary/dtype.h"

namespace plumbline {

/// The bits of a half: how many for the significand, with its hidden one, and the least exponent of a normal number.
struct HalfFormat {
  int digits;
  int least_exponent;
  double greatest;
};
constexpr HalfFormat format_of(Dtype half) {
  return half == Dtype::float16 ? HalfFormat{11, -14, 65504.0} : HalfFormat{8, -126, 0x1.fep127};
}

/// The nearest number of the half, of two equally near ones the even one. A double is rounded to float32 first, as it
/// is where a kernel computes in float32 [c10/util/Half.h, c10/util/BFloat16.h].
double rounded_to_half(double value, Dtype half);
/// The distance from |value| to the next greater number of the half.
double ulp_of_half(double value, Dtype half);
std::uint16_t bits_of_half(double value, Dtype half);
double half_of_bits(std::uint16_t bits, Dtype half);

}  // namespace plumbline
