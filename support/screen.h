// What a screen holds: its width and whether it shows colour.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

/// So many lines are one screen: no command prints more unless it is asked to.
inline constexpr std::size_t kScreenLines = 40;

enum class Colour : unsigned char { dim = 2, red = 31, green = 32, yellow = 33 };

/// Where text is printed. The defaults are those of a file or a pipe.
struct Screen {
  std::size_t width = 80;
  bool terminal = false;
  bool colour = false;

  std::string paint(Colour colour_of_it, std::string_view text) const {
    if (!colour) return std::string(text);
    return "\033[" + std::to_string(static_cast<unsigned>(colour_of_it)) + "m" + std::string(text) + "\033[0m";
  }
  /// The lines that a text takes: a terminal breaks the long ones.
  std::size_t lines_of(std::string_view text) const {
    std::size_t lines = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines += terminal ? std::max<std::size_t>(1, (end + width - 1) / width) : 1;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
  }
};

/// Breaks a line between words, each line after the first indented by `indent`.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t indent);
/// The same as one text, without a line end after it.
std::string wrapped_text(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace plumbline
