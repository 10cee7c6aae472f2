// The tokens of a program, which the lexer makes from its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "language/ast.h"

namespace plumbline::program {

enum class TokenKind : std::uint8_t {
  name,     ///< also Python's keywords
  integer,  ///< without a sign; `value` holds it (for 2^63, the lowest int64)
  real,
  string,
  symbol,   ///< an operator or a bracket
  newline,  ///< the end of a statement; `text` is the comment after it
  indent,
  dedent,
  comment,  ///< a line with only a comment
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;  ///< as written; a string's value; a comment's text without `#` and one space
  Place place;
  bool blank_before = false;  ///< for the first token of a line: there is an empty line above
  std::int64_t integer = 0;
  double real = 0;
};

/// The tokens of `text`, ended by `end`. Throws ProgramError for text that cannot be split into tokens: bytes
/// that are not UTF-8, tabs in the indentation, an unclosed bracket or string, an unknown character, …
std::vector<Token> tokenize(std::string_view text, const std::string& file);

/// How an error describes a token: "'for'", "the end of the line", "the string \"a\"".
std::string describe(const Token& token);

/// The limit for nested brackets, nested blocks and chained attributes.
inline constexpr std::size_t kMaxNesting = 64;

}  // namespace plumbline::program
