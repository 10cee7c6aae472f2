// The element types, with their names and sizes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumbline {

enum class Dtype : std::uint8_t {
  float32,
  float64,
  int64,
  int32,
  boolean,
  uint8,
  int8,
  int16,
  float16,
  bfloat16,
  complex64,
  complex128,
};

/// The names, as in Python: `torch.float32`.
inline constexpr std::array<std::string_view, 12> kDtypeNames{"float32", "float64",  "int64",     "int32",
                                                              "bool",    "uint8",    "int8",      "int16",
                                                              "float16", "bfloat16", "complex64", "complex128"};

constexpr std::string_view name_of(Dtype d) { return kDtypeNames[static_cast<std::size_t>(d)]; }
constexpr std::optional<Dtype> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kDtypeNames.size(); ++i)
    if (kDtypeNames[i] == name) return static_cast<Dtype>(i);
  return std::nullopt;
}

/// Whether it is one of the two floating dtypes of 16 bits, in which PyTorch stores numbers but does not compute.
constexpr bool is_half(Dtype d) { return d == Dtype::float16 || d == Dtype::bfloat16; }
constexpr bool is_floating(Dtype d) { return d == Dtype::float32 || d == Dtype::float64 || is_half(d); }
constexpr bool is_complex(Dtype d) { return d == Dtype::complex64 || d == Dtype::complex128; }
/// Whether its elements are rounded: a floating or a complex dtype.
constexpr bool is_inexact(Dtype d) { return is_floating(d) || is_complex(d); }
constexpr bool is_integer(Dtype d) { return !is_inexact(d) && d != Dtype::boolean; }
/// The dtype of the real and of the imaginary part of a complex dtype; any other dtype itself.
constexpr Dtype part_of(Dtype d) {
  return d == Dtype::complex64 ? Dtype::float32 : d == Dtype::complex128 ? Dtype::float64 : d;
}
/// How many numbers one element is: two, its real and its imaginary part, in a complex dtype.
constexpr std::size_t numbers_in(Dtype d) { return is_complex(d) ? 2 : 1; }
/// Bytes of one element.
constexpr std::int64_t item_size(Dtype d) {
  constexpr std::array<std::int64_t, kDtypeNames.size()> sizes{4, 8, 8, 4, 1, 1, 1, 2, 2, 2, 8, 16};
  return sizes[static_cast<std::size_t>(d)];
}

/// The least and the greatest number of an integer dtype; of any other 0 and 1.
struct IntegerRange {
  std::int64_t least;
  std::int64_t greatest;
  constexpr bool holds(std::int64_t number) const { return number >= least && number <= greatest; }
};
constexpr IntegerRange range_of(Dtype d) {
  if (!is_integer(d)) return {0, 1};
  if (d == Dtype::uint8) return {0, 255};
  const auto greatest = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - 8 * item_size(d)));
  return {-greatest - 1, greatest};
}

}  // namespace plumbline
