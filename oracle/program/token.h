// The words of a program: what the lexer makes of its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/program/ast.h"

namespace plumbline::program {

enum class TokenKind : std::uint8_t {
  name,     ///< also Python's keywords
  integer,  ///< without sign; `value` holds it, or, for 2^63 alone, the lowest int64
  real,
  string,
  symbol,   ///< an operator or a bracket
  newline,  ///< the end of a statement; `text` is the comment behind it
  indent,
  dedent,
  comment,  ///< a line with a comment alone
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;  ///< as written; of a string its value, of a comment its text without `#` and one space
  Place place;
  bool blank_before = false;  ///< of the first token of a line: an empty line stands above it
  std::int64_t integer = 0;
  double real = 0;
};

/// The tokens of `text`, ended by `end`. Throws ProgramError for text that has no tokens: bytes that are not
/// UTF-8, tabs in the indentation, an unclosed bracket or string, an unknown character, …
std::vector<Token> tokenize(std::string_view text, const std::string& file);

/// What an error says it found: "'for'", "the end of the line", "the string \"a\"".
std::string describe(const Token& token);

/// Brackets within brackets, blocks within blocks and attributes of attributes, at most.
inline constexpr std::size_t kMaxNesting = 64;

}  // namespace plumbline::program
