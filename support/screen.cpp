// Fitting text to a screen.
#include "support/screen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plumbline {

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  std::string rest(text);
  while (rest.size() > width) {
    std::size_t end = rest.rfind(' ', width);
    if (end == std::string::npos || rest.find_first_not_of(' ') > end) end = rest.find(' ', width);
    if (end == std::string::npos) break;
    lines.push_back(rest.substr(0, end));
    rest = std::string(indent, ' ') + rest.substr(end + 1);
  }
  lines.push_back(rest);
  return lines;
}

std::string wrapped_text(std::string_view text, std::size_t width, std::size_t indent) {
  return fmt::format("{}", fmt::join(wrapped(text, width, indent), "\n"));
}

}  // namespace plumbline
