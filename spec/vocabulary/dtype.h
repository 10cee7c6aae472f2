// The element types, with their names and sizes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumbline {

enum class Dtype : std::uint8_t { float32, float64, int64, int32, boolean };

/// The names, as in Python: `torch.float32`.
inline constexpr std::array<std::string_view, 5> kDtypeNames{"float32", "float64", "int64", "int32", "bool"};

constexpr std::string_view name_of(Dtype d) { return kDtypeNames[static_cast<std::size_t>(d)]; }
constexpr std::optional<Dtype> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kDtypeNames.size(); ++i)
    if (kDtypeNames[i] == name) return static_cast<Dtype>(i);
  return std::nullopt;
}

constexpr bool is_floating(Dtype d) { return d == Dtype::float32 || d == Dtype::float64; }
/// Bytes of one element.
constexpr std::int64_t item_size(Dtype d) {
  if (d == Dtype::boolean) return 1;
  return d == Dtype::float32 || d == Dtype::int32 ? 4 : 8;
}

}  // namespace plumbline
