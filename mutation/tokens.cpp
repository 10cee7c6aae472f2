// Reading C++ token by token.
#include "mutation/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace plumbline::mutate {

namespace {

/// Longest first. `>>` is two tokens, because it may close two template argument lists; shifts are not mutated.
constexpr std::array<std::string_view, 26> kPunctuation{"<=>", "<<=", ">>=", "->*", "...", "::", "->", "++", "--",
                                                        "<<",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=", "-=",
                                                        "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "##", ".*"};

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0;
}

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  std::vector<Token> read() {
    while (skip_to_token()) {
      Token token;
      token.at = at_;
      token.line = line_;
      token.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
      token.kind = take();
      token.text = source_.substr(token.at, at_ - token.at);
      token.spaced = token.at > 0 && is_space(source_[token.at - 1]) && at_ < source_.size() && is_space(source_[at_]);
      tokens_.push_back(token);
      fresh_line_ = false;
    }
    return std::move(tokens_);
  }

 private:
  char ahead(std::size_t n = 0) const { return at_ + n < source_.size() ? source_[at_ + n] : '\0'; }
  bool next_is(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  void step(std::size_t n = 1) {
    for (; n > 0 && at_ < source_.size(); --n) {
      if (source_[at_++] != '\n') continue;
      ++line_;
      line_start_ = at_;
      fresh_line_ = true;
    }
  }
  /// Moves past the next `end`.
  void step_behind(std::string_view end, const char* what) {
    const std::uint32_t from = line_;
    const std::size_t found = source_.find(end, at_);
    if (found == std::string_view::npos) throw std::runtime_error(fmt::format("line {}: {} has no end", from, what));
    step(found + end.size() - at_);
  }

  /// Skips white space, comments and preprocessor lines. False at the end.
  bool skip_to_token() {
    for (;;) {
      if (at_ >= source_.size()) return false;
      if (is_space(ahead()))
        step();
      else if (next_is("//"))
        skip_line();
      else if (next_is("/*"))
        step_behind("*/", "a comment");
      else if (ahead() == '#' && fresh_line_)
        skip_line();
      else
        return true;
    }
  }
  /// A line that ends with a backslash continues on the next line.
  void skip_line() {
    while (at_ < source_.size() && ahead() != '\n') step(ahead() == '\\' && ahead(1) == '\n' ? 2 : 1);
  }

  Token::Kind take() {
    if (is_digit(ahead()) || (ahead() == '.' && is_digit(ahead(1)))) return take_number();
    if (ahead() == '"' || ahead() == '\'') return take_text();
    if (is_word(ahead())) return take_word();
    const auto* const found = std::ranges::find_if(kPunctuation, [&](std::string_view one) { return next_is(one); });
    step(found == kPunctuation.end() ? 1 : found->size());
    return Token::Kind::punctuation;
  }
  Token::Kind take_number() {
    while (is_word(ahead()) || ahead() == '.' || (ahead() == '\'' && is_word(ahead(1)))) {
      const char c = ahead();
      const bool exponent = (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (ahead(1) == '+' || ahead(1) == '-');
      step(exponent && !hexadecimal_e(c) ? 2 : 1);
    }
    return Token::Kind::number;
  }
  /// In 0xE+1 the e is a digit.
  bool hexadecimal_e(char c) const {
    if (c != 'e' && c != 'E') return false;
    std::size_t start = at_;
    while (start > 0 && (is_word(source_[start - 1]) || source_[start - 1] == '.')) --start;
    return source_.substr(start, 2) == "0x" || source_.substr(start, 2) == "0X";
  }
  Token::Kind take_word() {
    const std::size_t from = at_;
    while (is_word(ahead())) step();
    const std::string_view word = source_.substr(from, at_ - from);
    if (ahead() == '"' && word.ends_with('R')) return take_raw();
    const bool prefix = word == "u8" || word == "u" || word == "U" || word == "L";
    return prefix && (ahead() == '"' || ahead() == '\'') ? take_text() : Token::Kind::word;
  }
  Token::Kind take_text() {
    const std::uint32_t from = line_;
    const char quote = ahead();
    step();
    while (at_ < source_.size() && ahead() != quote && ahead() != '\n') step(ahead() == '\\' ? 2 : 1);
    if (ahead() != quote) throw std::runtime_error(fmt::format("line {}: a string has no end", from));
    step();
    return behind_text();
  }
  Token::Kind take_raw() {
    step();
    const std::size_t from = at_;
    step_behind("(", "a raw string");
    step_behind(")" + std::string(source_.substr(from, at_ - from - 1)) + "\"", "a raw string");
    return behind_text();
  }
  Token::Kind behind_text() {
    while (is_word(ahead())) step();  // a suffix, as in "text"s
    return Token::Kind::text;
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1;
  bool fresh_line_ = true;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Reader(source).read(); }

}  // namespace plumbline::mutate
