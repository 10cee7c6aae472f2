// The tokens of a C++ source, as far as mutants need them: no comments, no preprocessor lines.
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
  std::string_view text;  ///< in the source that was given
  std::size_t at = 0;     ///< its offset there
  std::uint32_t line = 1, column = 1;
  /// White space stands on both sides: in a formatted source only binary operators do.
  bool spaced = false;

  bool is(std::string_view other) const { return kind != Kind::text && text == other; }
  std::size_t end() const { return at + text.size(); }
};

/// The source must outlive them. Throws std::runtime_error, with the line, where a comment or a string has no end.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace plumbline::mutate
