// UTF-8: checking it, and writing a code point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::program {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Whether `c` can begin a name of a program.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The offset of the first byte that is not UTF-8 (overlong forms and surrogates are not), or nothing.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// Appends `code_point`, at most 0x10FFFF and not a surrogate.
void append_utf8(std::string& text, std::uint32_t code_point);

}  // namespace plumbline::program
