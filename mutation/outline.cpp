// Finding out what each brace encloses from the tokens before it.
#include "mutation/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <stdexcept>

namespace plumbline::mutate {

namespace {

bool any_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return token.is(word); });
}

std::string_view partner_of(const Token& closing) { return closing.is(")") ? "(" : closing.is("]") ? "[" : "{"; }

void match_brackets(const std::vector<Token>& tokens, std::vector<std::size_t>& partner) {
  partner.assign(tokens.size(), kNowhere);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (any_of(tokens[i], {"(", "[", "{"})) open.push_back(i);
    if (!any_of(tokens[i], {")", "]", "}"})) continue;
    if (open.empty() || !tokens[open.back()].is(partner_of(tokens[i])))
      throw std::runtime_error(fmt::format("line {}: '{}' has no opening bracket", tokens[i].line, tokens[i].text));
    partner[i] = open.back();
    partner[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty())
    throw std::runtime_error(
        fmt::format("line {}: '{}' is not closed", tokens[open.back()].line, tokens[open.back()].text));
}

class Outliner {
 public:
  Outliner(const std::vector<Token>& tokens, Outline& outline) : tokens_(tokens), outline_(outline) {}

  void run() {
    outline_.scopes.push_back({});
    open_.push_back({0, 0});
    for (std::size_t i = 0; i < tokens_.size(); ++i) visit(i);
  }

 private:
  struct Open {
    std::size_t scope;
    std::size_t start;  ///< the start of the present statement in it
  };
  const Scope& scope() const { return outline_.scopes[open_.back().scope]; }

  void visit(std::size_t i) {
    const Token& token = tokens_[i];
    if (any_of(token, {")", "]", "}"})) return close(i);
    outline_.scope_of.push_back(open_.back().scope);
    outline_.start_of.push_back(token.is(";") && scope().inside == Inside::code ? open_.back().start : kNowhere);
    if (any_of(token, {"(", "[", "{"})) {
      Scope inner = token.is("{") ? scope_of_brace(i) : Scope{Inside::other, scope().function};
      open_.push_back({outline_.scopes.size(), i + 1});
      outline_.scopes.push_back(std::move(inner));
      return;
    }
    const bool label =
        token.is(":") && any_of(tokens_[open_.back().start], {"case", "default", "public", "private", "protected"});
    if (token.is(";") || label || any_of(token, {"else", "do"})) open_.back().start = i + 1;
  }

  void close(std::size_t i) {
    const Inside closed = scope().inside;
    open_.pop_back();
    outline_.scope_of.push_back(open_.back().scope);
    outline_.start_of.push_back(kNowhere);
    const bool body = closed != Inside::other && closed != Inside::list;
    if (scope().inside != Inside::other && (body || (tokens_[i].is(")") && is_control(outline_.partner[i]))))
      open_.back().start = i + 1;
  }

  /// Whether it is the parenthesis of `if (…)`, `if constexpr (…)`, `for (…)`, `while (…)`, `switch (…)`.
  bool is_control(std::size_t parenthesis) const {
    if (parenthesis == 0) return false;
    const Token& before = tokens_[parenthesis - 1];
    return any_of(before, {"if", "for", "while", "switch"}) ||
           (before.is("constexpr") && parenthesis > 1 && tokens_[parenthesis - 2].is("if"));
  }

  Scope scope_of_brace(std::size_t brace) const {
    const std::size_t start = first_of_head(brace);
    for (std::size_t i = start; i < brace; i = next_in_head(i)) {
      if (tokens_[i].is("namespace")) return {Inside::space, ""};
      if (tokens_[i].is("enum")) return {Inside::enumeration, name_behind(i, brace)};
      if (any_of(tokens_[i], {"class", "struct", "union"})) return {Inside::type, name_behind(i, brace)};
      if (tokens_[i].is("=") || tokens_[i].is("(")) break;  // a type's head has neither
    }
    if (brace > 0 && tokens_[brace - 1].kind == Token::Kind::text && scope().inside == Inside::space)
      return {Inside::space, ""};  // extern "C"
    if (!is_body(brace)) return {Inside::list, scope().function};
    const bool lambda = scope().inside != Inside::space && scope().inside != Inside::type;
    const std::string name = lambda ? "" : function_named(start, brace);
    return {Inside::code, name.empty() ? scope().function : name};
  }

  /// The first token of the head before the brace, after template parameters.
  std::size_t first_of_head(std::size_t brace) const {
    std::size_t start = open_.back().start;
    while (start + 1 < brace && tokens_[start].is("template") && tokens_[start + 1].is("<"))
      start = behind_angles(tokens_, outline_, start + 1);
    return std::min(start, brace);
  }
  std::size_t next_in_head(std::size_t i) const {
    return outline_.partner[i] != kNowhere && outline_.partner[i] > i ? outline_.partner[i] + 1 : i + 1;
  }
  /// The name of a type, after its attributes and alignment.
  std::string name_behind(std::size_t keyword, std::size_t brace) const {
    for (std::size_t i = keyword + 1; i < brace; i = next_in_head(i))
      if (tokens_[i].kind == Token::Kind::word && !any_of(tokens_[i], {"class", "struct", "alignas"}))
        return std::string(tokens_[i].text);
    return scope().function;
  }

  bool is_body(std::size_t brace) const {
    if (brace == 0) return false;
    const Token& before = tokens_[brace - 1];
    const Inside around = scope().inside;
    if (any_of(before, {")", "]", "const", "noexcept", "override", "mutable", "else", "do", "try"})) return true;
    if (any_of(before, {";", "{", ":"})) return around == Inside::code;
    if (before.is("}"))  // a block after another, or a constructor's body after its members
      return open_.back().start == brace || around == Inside::type || around == Inside::space;
    // `-> Type {` after a lambda's or a function's parameters
    for (std::size_t i = brace; i-- > 1;) {
      if (tokens_[i].is("->")) return tokens_[i - 1].is(")");
      if (tokens_[i].kind != Token::Kind::word && !any_of(tokens_[i], {"::", "<", ">", "*", "&"})) return false;
    }
    return false;
  }

  /// The name before the first parenthesis; empty for a lambda.
  std::string function_named(std::size_t start, std::size_t brace) const {
    for (std::size_t i = start; i < brace; i = next_in_head(i)) {
      if (!tokens_[i].is("(") || i == start) continue;
      const Token& name = tokens_[i - 1];
      if (name.kind == Token::Kind::word && any_of(name, {"alignas", "decltype", "noexcept", "requires"})) continue;
      if (name.is("]") || name.is("=")) return "";
      if (name.is("operator")) return "operator()";
      if (name.kind == Token::Kind::word) return std::string(name.text);
      for (std::size_t at = i; at-- > start;)
        if (tokens_[at].is("operator")) return "operator" + std::string(name.text);
      return "";
    }
    return "";
  }

  const std::vector<Token>& tokens_;
  Outline& outline_;
  std::vector<Open> open_;
};

}  // namespace

std::size_t behind_angles(const std::vector<Token>& tokens, const Outline& outline, std::size_t from) {
  std::size_t depth = 0;
  for (std::size_t i = from; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("<") && !token.spaced) ++depth;
    if (depth == 0 || any_of(token, {";", ")", "]", "}"})) return from;
    if (token.is(">") && !token.spaced && --depth == 0) return i + 1;
    if (outline.partner[i] != kNowhere && outline.partner[i] > i) i = outline.partner[i];
  }
  return from;
}

Outline outline_of(const std::vector<Token>& tokens) {
  Outline outline;
  match_brackets(tokens, outline.partner);
  Outliner(tokens, outline).run();
  return outline;
}

}  // namespace plumbline::mutate
