// The tokens of a C++ source that matter for mutants, without comments and preprocessor lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::mutate {

struct Token {
  /// `word`: identifiers and keywords; `text`: strings and characters, with their prefixes and suffixes.
  enum class Kind : std::uint8_t { word, number, text, punctuation };

  Kind kind = Kind::word;
  std::string_view text;  ///< a view into the given source
  std::size_t at = 0;     ///< its offset there
  std::uint32_t line = 1, column = 1;
  /// Whether white space is on both sides; in a formatted source only binary operators have that.
  bool spaced = false;

  bool is(std::string_view other) const { return kind != Kind::text && text == other; }
  std::size_t end() const { return at + text.size(); }
};

/// The source must outlive the tokens. Throws std::runtime_error, with the line, if a comment or a string has no end.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace plumbline::mutate
