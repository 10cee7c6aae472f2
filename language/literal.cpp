// Reading numbers and strings, and the cursor that the lexer reads with.
#include "language/literal.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "language/utf8.h"

namespace plumbline::program {
namespace {

std::uint32_t hexadecimal(Cursor& cursor, int digits, Place place) {
  std::uint32_t value = 0;
  for (int i = 0; i < digits; ++i) {
    const char c = cursor.peek();
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0)
      cursor.fail(place, "an escape in a string is incomplete",
                  fmt::format("Write {} hexadecimal digits after it", digits));
    value = value * 16 + static_cast<std::uint32_t>(digit);
    cursor.take();
  }
  if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
    cursor.fail(place, "an escape in a string names no character",
                "Use a code point up to 10ffff that is not a surrogate");
  return value;
}

void escape(Cursor& cursor, std::string& text) {
  const Place place = cursor.place();
  cursor.take();
  if (cursor.at_line_end()) cursor.fail(place, "a string is continued with '\\'", "Put the string on one line");
  const char c = cursor.take();
  switch (c) {
    case 'n':
      text += '\n';
      return;
    case 'r':
      text += '\r';
      return;
    case 't':
      text += '\t';
      return;
    case '\\':
    case '\'':
    case '"':
      text += c;
      return;
    case 'x':
      append_utf8(text, hexadecimal(cursor, 2, place));
      return;
    case 'u':
      append_utf8(text, hexadecimal(cursor, 4, place));
      return;
    case 'U':
      append_utf8(text, hexadecimal(cursor, 8, place));
      return;
    default:
      cursor.fail(place, fmt::format("unknown escape '\\{}' in a string", c),
                  "For a regular expression write r\"…\"; for a backslash write '\\\\'");
  }
}

}  // namespace

char Cursor::take() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++line_;
    column_ = 1;
  } else if (at_ >= text_.size() || (static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80U) {
    ++column_;
  }
  return c;
}

void Cursor::take_line_end() {
  if (peek() == '\r') {
    take();
    if (peek() == '\n')
      take();
    else
      ++line_, column_ = 1;  // a lone carriage return ends a line too, as for Python
  } else if (!at_end()) {
    take();
  }
}

void Cursor::fail(Place place, std::string problem, std::string advice) const {
  throw ProgramError(file_, place, std::move(problem), std::move(advice));
}

Token number(Cursor& cursor) {
  Token token{TokenKind::integer, "", cursor.place()};
  const auto digits = [&] {
    while (is_digit(cursor.peek())) token.text += cursor.take();
  };
  digits();
  if (cursor.peek() == '.') {
    token.kind = TokenKind::real;
    token.text += cursor.take();
    digits();
  }
  const bool exponent =
      (cursor.peek() == 'e' || cursor.peek() == 'E') &&
      (is_digit(cursor.peek(1)) || ((cursor.peek(1) == '+' || cursor.peek(1) == '-') && is_digit(cursor.peek(2))));
  if (exponent) {
    token.kind = TokenKind::real;
    token.text += cursor.take();
    token.text += cursor.take();
    digits();
  }
  if (is_letter(cursor.peek()))
    cursor.fail(token.place,
                fmt::format("'{}{}…' is not a number that programs can contain", token.text, cursor.peek()),
                "Write a decimal number such as 12, 1.5 or 1e-3");
  const char* first = token.text.data();
  const char* last = first + token.text.size();
  if (token.kind == TokenKind::real) {
    std::from_chars(first, last, token.real);
    if (!std::isfinite(token.real) ||
        (token.real == 0 && token.text.find_first_of("123456789") < token.text.find_first_of("eE")))
      cursor.fail(token.place, token.text + " is beyond the range of a float",
                  "Write a float64 number, or float(\"inf\")");
    return token;
  }
  if (token.text.size() > 1 && token.text[0] == '0')
    cursor.fail(token.place, token.text + " begins with 0", "Write the number without leading zeros");
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value);
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  if (error != std::errc() || value > kLimit)
    cursor.fail(token.place, token.text + " is beyond the range of int64", "Write a number up to 9223372036854775807");
  token.integer = static_cast<std::int64_t>(value);
  return token;
}

Token string(Cursor& cursor, const std::string& prefix) {
  Token token{TokenKind::string, "", cursor.place()};
  token.place.column -= static_cast<int>(prefix.size());
  if (!prefix.empty() && prefix != "r" && prefix != "R")
    cursor.fail(token.place, fmt::format("a string has the prefix '{}'", prefix), "Write \"…\" or r\"…\"");
  const char quote = cursor.take();
  if (cursor.peek() == quote && cursor.peek(1) == quote)
    cursor.fail(token.place, "found a string in triple quotes", "Write a comment after '#', or a string on one line");
  while (cursor.peek() != quote || cursor.at_end()) {
    if (cursor.at_line_end())
      cursor.fail(token.place, "a string does not end on its line", fmt::format("Write the missing {}", quote));
    if (cursor.peek() != '\\') {
      token.text += cursor.take();
    } else if (prefix.empty()) {
      escape(cursor, token.text);
    } else {  // raw: keep the backslash and the character after it, even a quote
      token.text += cursor.take();
      if (!cursor.at_line_end()) token.text += cursor.take();
    }
  }
  cursor.take();
  return token;
}

}  // namespace plumbline::program
