// Text in columns.
#include "bench/driver/grid.h"

#include <algorithm>

namespace plumbline::bench {

namespace {

/// In characters: UTF-8's continuation bytes are not counted.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string grid(const std::vector<std::vector<std::string>>& lines, const std::vector<std::size_t>& left) {
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    if (line.size() < 2) continue;
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string text;
  for (const auto& line : lines) {
    std::string shown;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t width = line.size() < 2 ? 0 : widths[i];
      const std::string pad(width > width_of(line[i]) ? width - width_of(line[i]) : 0, ' ');
      const bool flush_left = i == 0 || std::ranges::find(left, i) != left.end();
      shown += (i == 0 ? "" : "  ") + (flush_left ? line[i] + pad : pad + line[i]);
    }
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
  }
  return text;
}

}  // namespace plumbline::bench
