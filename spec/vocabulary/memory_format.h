// Memory formats: the orders in which a new tensor's dimensions may be laid out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumbline {

/// Numbered as in c10 [c10/core/MemoryFormat.h]. A script has the number, as PyTorch's schemas do.
enum class MemoryFormat : std::int8_t { contiguous, preserve, channels_last, channels_last_3d };

/// Python's names, without `torch.`.
inline constexpr std::array<std::string_view, 4> kMemoryFormatNames{"contiguous_format", "preserve_format",
                                                                    "channels_last", "channels_last_3d"};

constexpr std::string_view name_of(MemoryFormat format) {
  return kMemoryFormatNames.at(static_cast<std::size_t>(format));
}
constexpr std::optional<MemoryFormat> memory_format_of(std::int64_t number) {
  if (number < 0 || number >= static_cast<std::int64_t>(kMemoryFormatNames.size())) return std::nullopt;
  return static_cast<MemoryFormat>(number);
}
constexpr std::optional<MemoryFormat> memory_format_named(std::string_view name) {
  for (std::size_t i = 0; i < kMemoryFormatNames.size(); ++i)
    if (kMemoryFormatNames[i] == name) return static_cast<MemoryFormat>(i);
  return std::nullopt;
}

/// How many dimensions a tensor of this format has; 0: any number.
constexpr int rank_of(MemoryFormat format) {
  if (format == MemoryFormat::channels_last) return 4;
  return format == MemoryFormat::channels_last_3d ? 5 : 0;
}

}  // namespace plumbline
