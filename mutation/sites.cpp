// Finding the tokens that a mutant changes.
#include "mutation/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "mutation/outline.h"

namespace plumbline::mutate {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOperators{{{"==", "!="},
                                                                                    {"!=", "=="},
                                                                                    {"<", "<="},
                                                                                    {"<=", "<"},
                                                                                    {">", ">="},
                                                                                    {">=", ">"},
                                                                                    {"&&", "||"},
                                                                                    {"||", "&&"},
                                                                                    {"+", "-"},
                                                                                    {"-", "+"},
                                                                                    {"+=", "-="},
                                                                                    {"-=", "+="}}};

/// A statement that begins with one of these words cannot be dropped: declarations, parts of statements, casts to void.
constexpr std::array<std::string_view, 30> kNoStatement{
    "using",   "typedef", "static",      "constexpr",     "const",        "auto",    "goto",     "case",
    "default", "struct",  "class",       "union",         "enum",         "friend",  "template", "extern",
    "inline",  "if",      "for",         "while",         "do",           "switch",  "else",     "try",
    "catch",   "return",  "static_cast", "static_assert", "thread_local", "volatile"};

bool is_one_of(std::string_view text, const auto& words) { return std::ranges::find(words, text) != words.end(); }

/// A literal's number and what follows it: "0x1FULL" is 31 and "ULL".
struct Number {
  std::uint64_t value = 0;
  std::string suffix;
};
std::optional<Number> integer_of(std::string_view literal) {
  std::string digits;
  for (const char c : literal)
    if (c != '\'') digits += c;
  int base = 10;
  std::size_t from = 0;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    from = 2;
  } else if (digits.starts_with("0b") || digits.starts_with("0B")) {
    base = 2;
    from = 2;
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
  }
  Number number;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data() + from, end, number.value, base);
  number.suffix.assign(rest, end);
  const bool whole = number.suffix.find_first_not_of("uUlLzZ") == std::string::npos;
  return error == std::errc() && whole ? std::optional(number) : std::nullopt;
}

/// 0 becomes 1, 1 becomes 0, n becomes n + 1; empty if the literal is not such a number.
std::string changed_number(std::string_view literal) {
  const std::optional<Number> integer = integer_of(literal);
  if (!integer) {
    double value = 0;
    const auto [rest, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
    const std::string_view suffix(rest, static_cast<std::size_t>(literal.data() + literal.size() - rest));
    if (error != std::errc() || !(suffix.empty() || suffix == "F" || suffix == "f")) return "";
    if (value == 0) return fmt::format("1.0{}", suffix);
    if (value == 1) return fmt::format("0.0{}", suffix);
    return fmt::format("({} + 1)", literal);
  }
  if (integer->value == std::numeric_limits<std::uint64_t>::max()) return "";
  return fmt::format("{}{}", integer->value == 1 ? 0 : integer->value + 1, integer->suffix);
}

class Finder {
 public:
  Finder(const std::string& file, const std::string& source)
      : file_(file), source_(source), tokens_(tokens_of(source)), outline_(outline_of(tokens_)) {}

  std::vector<Site> find() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::size_t behind = behind_quiet(i);
      if (behind > i) {
        i = behind - 1;
        continue;
      }
      if (outline_.start_of[i] != kNowhere) look_at_statement(outline_.start_of[i], i);
      look_at(i);
    }
    std::ranges::sort(sites_, {}, [](const Site& site) { return std::pair(site.at, site.change); });
    std::map<std::tuple<std::string, std::string, std::string>, int> seen;
    for (Site& site : sites_) site.nth = ++seen[{site.function, site.text, site.change}];
    return std::move(sites_);
  }

 private:
  bool next_is(std::size_t i, std::string_view text) const { return i + 1 < tokens_.size() && tokens_[i + 1].is(text); }

  /// The token after a part that begins at `i` and has no sites; `i` itself if there is no such part.
  std::size_t behind_quiet(std::size_t i) const {
    const Token& token = tokens_[i];
    constexpr std::array<std::string_view, 5> kCalls{"static_assert", "assert", "alignas", "noexcept", "decltype"};
    if (is_one_of(token.text, kCalls) && next_is(i, "(")) return outline_.partner[i + 1] + 1;
    if (token.is("[") && next_is(i, "[") && !is_value(i - 1)) return outline_.partner[i] + 1;  // an attribute
    if (token.is("template") && next_is(i, "<")) return behind_angles(tokens_, outline_, i + 1);
    if (token.is("operator")) return i + 2;
    if (!token.is("using") && !token.is("typedef")) return i;
    while (i < tokens_.size() && !tokens_[i].is(";")) ++i;
    return i;
  }

  /// Whether a token may end a value, so that a bracket after it is an index.
  bool is_value(std::size_t i) const {
    return i < tokens_.size() && (tokens_[i].kind == Token::Kind::word || tokens_[i].is("]"));
  }

  void look_at(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::number) {
      const std::string with = is_pure(i) ? "" : changed_number(token.text);
      if (!with.empty()) add(i, token.end(), with, with);
    } else if (token.is("true") || token.is("false")) {
      const std::string with = token.is("true") ? "false" : "true";
      add(i, token.end(), with, with);
    } else if (token.is("!")) {
      add(i, token.end(), "", "dropped");
    } else if (token.kind == Token::Kind::punctuation && token.spaced && !joins_texts(i)) {
      const auto* const found = std::ranges::find(kOperators, token.text, [](const auto& one) { return one.first; });
      if (found != kOperators.end()) add(i, token.end(), std::string(found->second), std::string(found->second));
    }
  }
  bool joins_texts(std::size_t i) const {
    return (i > 0 && tokens_[i - 1].kind == Token::Kind::text) ||
           (i + 1 < tokens_.size() && tokens_[i + 1].kind == Token::Kind::text);
  }
  /// The 0 of a pure virtual function.
  bool is_pure(std::size_t i) const {
    return outline_.scopes[outline_.scope_of[i]].inside == Inside::type && i > 1 && tokens_[i - 1].is("=") &&
           next_is(i, ";") && (tokens_[i - 2].is(")") || tokens_[i - 2].is("const") || tokens_[i - 2].is("noexcept"));
  }

  void look_at_statement(std::size_t first, std::size_t semicolon) {
    if (first >= semicolon || tokens_[first].line != tokens_[semicolon].line) return;
    if (can_be_dropped(first, semicolon)) add(first, tokens_[semicolon].at, "", "dropped", "statement");
  }
  bool can_be_dropped(std::size_t first, std::size_t semicolon) const {
    const Token& token = tokens_[first];
    if (semicolon == first + 1) return token.is("break") || token.is("continue") || token.is("return");
    if (token.is("throw") || token.is("delete") || token.is("++") || token.is("--") || token.is("*")) return true;
    if (token.kind != Token::Kind::word || is_one_of(token.text, kNoStatement) || token.is("assert")) return false;
    std::size_t i = first;
    while (i < semicolon) {  // after a (qualified) name, an expression continues, but a declaration has another name
      if (tokens_[i].is("::") || tokens_[i].kind == Token::Kind::word) {
        if (i > first && tokens_[i].kind == Token::Kind::word && !tokens_[i - 1].is("::")) return false;
        ++i;
      } else if (const std::size_t behind = behind_angles(tokens_, outline_, i); behind > i) {
        i = behind;
      } else {
        break;
      }
    }
    constexpr std::array<std::string_view, 16> kGoesOn{
        "(", ".", "->", "[", "=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="};
    return i < semicolon && is_one_of(tokens_[i].text, kGoesOn);
  }

  void add(std::size_t token, std::size_t end, std::string with, const std::string& to, std::string from = "") {
    const Token& first = tokens_[token];
    if (from.empty()) from = first.text;
    Site site;
    site.file = file_;
    site.line = first.line;
    site.column = first.column;
    site.function = outline_.scopes[outline_.scope_of[token]].function;
    site.text = line_at(first.at);
    site.change = fmt::format("{} -> {}", from, to);
    site.at = first.at;
    site.length = end - first.at;
    site.with = std::move(with);
    sites_.push_back(std::move(site));
  }
  std::string line_at(std::size_t at) const {
    const std::size_t newline = source_.rfind('\n', at);
    const std::size_t from = source_.find_first_not_of(" \t", newline == std::string::npos ? 0 : newline + 1);
    return source_.substr(from, std::min(source_.find('\n', at), source_.size()) - from);
  }

  const std::string& file_;
  const std::string& source_;
  std::vector<Token> tokens_;
  Outline outline_;
  std::vector<Site> sites_;
};

}  // namespace

std::string Site::name() const { return fmt::format("{}:{}:{} {}", file, line, column, change); }
std::string Site::key() const { return fmt::format("{}\n{}\n{}\n{}\n{}", file, function, text, change, nth); }

std::vector<Site> sites_of(const std::string& file, const std::string& source) {
  try {
    return Finder(file, source).find();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", file, error.what()));
  }
}

std::string mutated(const std::string& source, const Site& site) {
  std::string changed = source;
  return changed.replace(site.at, site.length, site.with);
}

}  // namespace plumbline::mutate
