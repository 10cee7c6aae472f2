// Writing JSON without a tree, for all parts of the encoder.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::protocol {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// Appends JSON to a buffer. It builds no tree, because a trace with full snapshots takes kilobytes.
class Writer {
 public:
  void raw(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }
  void integer(std::int64_t i) { fmt::format_to(fmt::appender(buffer_), FMT_STRING("{}"), i); }
  void truth(bool b) { raw(b ? "true" : "false"); }

  /// The shortest digits that read back as the same double, with a point or an exponent so that it stays a float.
  void number(double d) {
    if (std::isnan(d)) return raw("\"nan\"");
    if (std::isinf(d)) return raw(d > 0 ? "\"inf\"" : "\"-inf\"");
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, d).ptr;
    const std::string_view text(digits, static_cast<std::size_t>(end - digits));
    raw(text);
    if (text.find_first_of(".e") == std::string_view::npos) raw(".0");
  }

  void text(std::string_view s) {
    for (const char c : s)
      if (c < ' ' || c > '~' || c == '"' || c == '\\')
        return raw(nlohmann::json(s).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    raw("\"");
    raw(s);
    raw("\"");
  }

  template <class Range, class Item>
  void list(const Range& range, Item item) {
    raw("[");
    bool first = true;
    for (const auto& each : range) {
      if (!std::exchange(first, false)) raw(",");
      item(each);
    }
    raw("]");
  }
  void integers(const std::vector<std::int64_t>& v) {
    list(v, [this](std::int64_t i) { integer(i); });
  }
  void slots(const std::vector<Slot>& v) {
    list(v, [this](Slot s) { slot(s); });
  }
  void slot(Slot s) { integer(static_cast<std::int32_t>(s)); }

  std::string take() const { return {buffer_.data(), buffer_.size()}; }

 private:
  fmt::basic_memory_buffer<char, 4096> buffer_;
};

/// A script as a member of a message.
void write(Writer& w, const Script& script);

}  // namespace plumbline::protocol
