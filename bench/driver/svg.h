// Writing a picture: rectangles, lines and text, in SVG.
#pragma once

#include <string>
#include <string_view>

namespace plumbline::bench {

class Svg {
 public:
  /// A white picture of so many pixels; `title` is what a reader that does not see it is told.
  Svg(double width, double height, std::string_view title);

  void rectangle(double x, double y, double width, double height, std::string_view color);
  void line(double x1, double y1, double x2, double y2, std::string_view color, double width = 1);
  void dot(double x, double y, double radius, std::string_view color);
  enum class Anchor : std::uint8_t { start, middle, end };
  /// `y` is the line that the letters stand on.
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::start, double size = 12,
            std::string_view color = "#222");
  /// The whole file; nothing is added behind it.
  std::string close();

 private:
  std::string out_;
};

/// Where a ratio stands on a logarithmic axis that begins at `left` with `low` and is `width` wide up to `high`.
struct LogAxis {
  double left, width, low, high;
  double at(double ratio) const;
};

}  // namespace plumbline::bench
