// The lexer: lines, indentation, comments, brackets and words. Literals are read in literal.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/literal.h"
#include "language/token.h"
#include "language/utf8.h"

namespace plumbline::program {
namespace {

/// Longest first. Symbols that programs cannot contain are tokens too, so that the parser can say what to write
/// instead.
constexpr std::array<std::string_view, 45> kSymbols{
    "**=", "//=", ">>=", "<<=", "...", "==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=",
    "%=",  "@=",  "&=",  "|=",  "^=",  "**", "//", "<<", ">>", "(",  ")",  "[",  "]",  "{",  "}",
    ",",   ".",   ":",   "=",   "-",   "+",  "*",  "/",  "%",  "<",  ">",  "@",  "&",  "|",  "^"};

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : cursor_{text, file} {}

  std::vector<Token> run() {
    while (!cursor_.at_end()) line();
    place_comments_and_blocks(0, cursor_.place());
    add(TokenKind::end, "", cursor_.place());
    return std::move(tokens_);
  }

 private:
  /// Reads one physical line that starts a statement, is empty, or has only a comment.
  void line() {
    const std::size_t indent = indentation();
    if (cursor_.at_line_end()) {
      cursor_.take_line_end();
      blank_ = true;
      return;
    }
    if (cursor_.peek() == '#') {
      const Place place = cursor_.place();
      comments_.push_back(Token{TokenKind::comment, comment(), place, std::exchange(blank_, false)});
      cursor_.take_line_end();
      return;
    }
    const bool blank = std::exchange(blank_, false);
    place_comments_and_blocks(indent, cursor_.place());
    const std::size_t first = tokens_.size();
    words();
    if (tokens_.size() > first) tokens_[first].blank_before = blank;
  }

  std::size_t indentation() {
    std::size_t spaces = 0;
    for (; cursor_.peek() == ' ' || cursor_.peek() == '\t'; cursor_.take(), ++spaces)
      if (cursor_.peek() == '\t')
        cursor_.fail(cursor_.place(), "there is a tab in the indentation", "Indent with four spaces");
    return spaces;
  }

  /// Opens or closes blocks for a statement that is indented by `indent` spaces. A comment line belongs to the block
  /// of its own column; comments above the first statement of a block belong to the block.
  void place_comments_and_blocks(std::size_t indent, Place place) {
    if (indent > indents_.back()) {
      if (indents_.size() > kMaxNesting) cursor_.fail(place, "blocks are nested too deeply", "Use fewer `with` blocks");
      indents_.push_back(indent);
      add(TokenKind::indent, "", place);
    }
    for (Token& comment : comments_) {
      close_blocks(std::max(indent, static_cast<std::size_t>(comment.place.column - 1)), comment.place);
      tokens_.push_back(std::move(comment));
    }
    comments_.clear();
    close_blocks(indent, place);
    if (indents_.back() != indent)
      cursor_.fail(place, "this indentation matches no enclosing block",
                   fmt::format("Indent with {} spaces, like the statement above it", indents_.back()));
  }

  void close_blocks(std::size_t indent, Place place) {
    while (indents_.back() > indent && indents_[indents_.size() - 2] >= indent) {
      indents_.pop_back();
      add(TokenKind::dedent, "", place);
    }
  }

  /// The words up to the end of the statement; within brackets a line end is only space.
  void words() {
    std::string remarks;
    const auto remark = [&](const std::string& text) {
      if (!text.empty()) remarks += (remarks.empty() ? "" : "  # ") + text;
    };
    for (;;) {
      while (cursor_.peek() == ' ' || cursor_.peek() == '\t') cursor_.take();
      if (cursor_.peek() == '#') remark(comment());
      if (cursor_.at_end() && !open_.empty()) unclosed();
      if (cursor_.at_line_end()) {
        const Place place = cursor_.place();
        cursor_.take_line_end();
        if (!open_.empty()) continue;
        return add(TokenKind::newline, remarks, place);
      }
      word();
    }
  }

  void word() {
    const Place place = cursor_.place();
    const char c = cursor_.peek();
    if (is_digit(c) || (c == '.' && is_digit(cursor_.peek(1)))) return tokens_.push_back(number(cursor_));
    if (c == '"' || c == '\'') return tokens_.push_back(string(cursor_, ""));
    if (is_letter(c)) {
      std::string name;
      while (is_letter(cursor_.peek()) || is_digit(cursor_.peek())) name += cursor_.take();
      if (cursor_.peek() == '"' || cursor_.peek() == '\'') {
        return tokens_.push_back(string(cursor_, name));
      }
      return add(TokenKind::name, name, place);
    }
    for (const std::string_view symbol : kSymbols)
      if (cursor_.rest().starts_with(symbol)) return take_symbol(symbol, place);
    unknown_character(place);
  }

  void take_symbol(std::string_view symbol, Place place) {
    for (std::size_t i = 0; i < symbol.size(); ++i) cursor_.take();
    add(TokenKind::symbol, std::string(symbol), place);
    if (symbol == "(" || symbol == "[" || symbol == "{") {
      open_.push_back(tokens_.back());
      if (open_.size() > kMaxNesting)
        cursor_.fail(place, "brackets are nested too deeply", "Use fewer levels of lists");
    }
    if (symbol != ")" && symbol != "]" && symbol != "}") return;
    if (open_.empty())
      cursor_.fail(place, fmt::format("'{}' has no opening bracket", symbol),
                   "Remove it, or write the opening bracket before it");
    const Token opener = open_.back();
    const std::string_view closer = opener.text == "(" ? ")" : opener.text == "[" ? "]" : "}";
    if (closer != symbol)
      cursor_.fail(place, fmt::format("'{}' does not match '{}' on line {}", symbol, opener.text, opener.place.line),
                   fmt::format("Close that bracket with '{}' first", closer));
    open_.pop_back();
  }

  [[noreturn]] void unclosed() {
    const Token& opener = open_.back();
    const std::string_view closer = opener.text == "(" ? ")" : opener.text == "[" ? "]" : "}";
    cursor_.fail(opener.place, fmt::format("'{}' is never closed", opener.text),
                 fmt::format("Write the missing '{}'", closer));
  }

  [[noreturn]] void unknown_character(Place place) {
    const char c = cursor_.peek();
    if (c == '\\')
      cursor_.fail(place, "a line is continued with '\\'",
                   "Put the statement on one line, or break it inside brackets");
    if (c == ';') cursor_.fail(place, "found ';'", "Write one statement per line: put the next one on its own line");
    std::string character(1, cursor_.take());
    while ((static_cast<unsigned char>(cursor_.peek()) & 0xC0U) == 0x80U) character += cursor_.take();
    const bool control = static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7F;
    const std::string shown =
        control ? fmt::format("the control character \\x{:02x}", character[0]) : "'" + character + "'";
    cursor_.fail(place, "found " + shown + ", which programs cannot contain",
                 "Remove it; names consist of the letters a to z, digits and '_'");
  }

  std::string comment() {
    cursor_.take();
    if (cursor_.peek() == ' ') cursor_.take();
    std::string text;
    while (!cursor_.at_line_end()) text += cursor_.take();
    text.erase(text.find_last_not_of(" \t") + 1);
    return text;
  }

  void add(TokenKind kind, std::string text, Place place) { tokens_.push_back(Token{kind, std::move(text), place}); }

  Cursor cursor_;
  std::vector<Token> tokens_;
  std::vector<Token> comments_;  ///< comment lines whose block is not known yet
  std::vector<Token> open_;      ///< the brackets that are open
  std::vector<std::size_t> indents_{0};
  bool blank_ = false;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, const std::string& file) {
  if (const auto bad = first_invalid_utf8(text)) {
    const std::string_view before = text.substr(0, *bad);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const auto column = 1 + std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    throw ProgramError(file, {static_cast<int>(line), static_cast<int>(column)},
                       fmt::format("the byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(text[*bad])),
                       "Save the file in UTF-8");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return Lexer(text, file).run();
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::newline:
      return "the end of the line";
    case TokenKind::indent:
      return "a deeper indentation";
    case TokenKind::dedent:
      return "the end of the block";
    case TokenKind::comment:
      return "a comment";
    case TokenKind::end:
      return "the end of the file";
    case TokenKind::string:
      return "the string \"" + token.text + "\"";
    default:
      return "'" + token.text + "'";
  }
}

}  // namespace plumbline::program
