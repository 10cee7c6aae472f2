// Writing a picture: rectangles, lines and text, in SVG.
#pragma once

#include <string>
#include <string_view>

namespace plumbline::bench {

class Svg {
 public:
  /// A white picture of this size in pixels; screen readers read `title`.
  Svg(double width, double height, std::string_view title);

  void rectangle(double x, double y, double width, double height, std::string_view color);
  void line(double x1, double y1, double x2, double y2, std::string_view color, double width = 1);
  void dot(double x, double y, double radius, std::string_view color);
  enum class Anchor : std::uint8_t { start, middle, end };
  /// `y` is the baseline of the letters.
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::start, double size = 12,
            std::string_view color = "#222");
  /// The whole file. Nothing may be drawn after this.
  std::string close();

 private:
  std::string out_;
};

/// A logarithmic axis that begins at `left` with `low` and is `width` wide up to `high`.
struct LogAxis {
  double left, width, low, high;
  double at(double ratio) const;
};

}  // namespace plumbline::bench
