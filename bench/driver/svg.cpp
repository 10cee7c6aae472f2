// Writing a picture: rectangles, lines and text, in SVG.
#include "bench/driver/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumbline::bench {

namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= ' ') safe += c;  // XML has no control characters
    }
  }
  return safe;
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title)
    : out_(fmt::format(
          R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} )"
          R"({1:.0f}" font-family="sans-serif" role="img">)"
          "\n<title>{2}</title>\n",
          width, height, escaped(title))) {
  rectangle(0, 0, width, height, "#fff");
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view color) {
  out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
                      std::max(width, 0.0), height, color);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view color, double width) {
  out_ += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"/>\n", x1, y1,
      x2, y2, color, width);
}

void Svg::dot(double x, double y, double radius, std::string_view color) {
  out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", x, y, radius, color);
}

void Svg::text(double x, double y, std::string_view text, Anchor anchor, double size, std::string_view color) {
  constexpr std::array<std::string_view, 3> kAnchors{"start", "middle", "end"};
  out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                      x, y, size, kAnchors.at(static_cast<std::size_t>(anchor)), color, escaped(text));
}

std::string Svg::close() { return out_ + "</svg>\n"; }

double LogAxis::at(double ratio) const {
  return left + width * std::log(std::clamp(ratio, low, high) / low) / std::log(high / low);
}

}  // namespace plumbline::bench
