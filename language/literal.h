// Reading numbers and strings, and the cursor that the lexer reads with.
#pragma once

#include <string>
#include <string_view>

#include "language/token.h"

namespace plumbline::program {

/// A place in the text that moves forward one byte at a time and knows its line and column (in characters).
class Cursor {
 public:
  Cursor(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  Place place() const { return {line_, column_}; }
  bool at_end() const { return at_ >= text_.size(); }
  bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }
  /// The byte `ahead` of here; NUL after the end.
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }
  /// The byte here, and one forward; not at the end.
  char take();
  void take_line_end();
  [[noreturn]] void fail(Place place, std::string problem, std::string advice) const;

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
};

/// Reads a decimal int or float; refuses other Python numbers (hexadecimal, `1_000`, `1j`).
Token number(Cursor& cursor);

/// Reads a string whose prefix (`r`, or empty) was read already; refuses other prefixes and triple quotes.
Token string(Cursor& cursor, const std::string& prefix);

}  // namespace plumbline::program
