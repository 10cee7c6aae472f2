// The reader of tokens, and the wording of "found this, expected that".
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "language/parser.h"
#include "language/refusal.h"

namespace plumbline::program {

Token TokenReader::take() {
  Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool TokenReader::accept(std::string_view symbol) {
  if (!at_symbol(symbol)) return false;
  take();
  return true;
}

void TokenReader::expect(std::string_view symbol, std::string_view why) {
  if (!accept(symbol)) refuse_next(fmt::format("'{}' {}", symbol, why));
}

Token TokenReader::expect_name(std::string_view what) {
  if (!at(TokenKind::name)) refuse_next(fmt::format("the name of {}", what));
  if (is_python_keyword(peek().text)) {
    if (const auto refusal = refuse_statement(peek().text)) fail(peek().place, refusal->problem, refusal->advice);
    if (peek().text == "and" || peek().text == "or" || peek().text == "not")
      fail(peek().place, fmt::format("found `{}`", peek().text),
           "Write one comparison per assert: make it two asserts");
    fail(peek().place, fmt::format("found {}, a Python keyword, expected {}", describe(peek()), what),
         "Use another name");
  }
  return take();
}

std::string TokenReader::expect_line_end() {
  if (!at(TokenKind::newline)) refuse_next("the end of the line");
  return take().text;
}

Token TokenReader::skip_part() {
  const auto begins = [this](std::initializer_list<std::string_view> words) {
    return peek().place.column == 1 && std::ranges::any_of(words, [this](auto word) { return peek().text == word; });
  };
  const auto go_on = [&](std::initializer_list<std::string_view> words) {
    while (!at(TokenKind::end) && !begins(words)) take();
  };
  Token name;
  bool registers = false;
  for (; at_symbol("@"); go_on({"def", "class", "@"})) {
    registers = registers || at_registration(*this);
    take();
  }
  name.place = peek().place;
  const bool named = (at_word("def") || at_word("class")) && peek(1).kind == TokenKind::name;
  if (named && !registers) name.text = peek(1).text;
  if (!at(TokenKind::end)) take();
  while (!at(TokenKind::end) && !begins({"def", "class", "import", "from", "pytestmark", "@"}) &&
         !(peek().place.column == 1 && at_registration(*this)))
    take();
  return name;
}

void TokenReader::fail(Place place, std::string problem, std::string advice) const {
  throw ProgramError(file_, place, std::move(problem), std::move(advice));
}

void TokenReader::refuse_next(std::string_view expected) const {
  const Token& next = peek();
  if (next.kind == TokenKind::symbol)
    if (const auto refusal = refuse_symbol(next.text)) fail(next.place, refusal->problem, refusal->advice);
  if (next.kind == TokenKind::name) {
    const std::string& word = next.text;
    if (word == "if" || word == "else")
      fail(next.place, "found `" + word + "` in an expression",
           "Programs have no control flow: write the statements out");
    if (word == "and" || word == "or" || word == "not" || word == "in")
      fail(next.place, "found `" + word + "`",
           "Write one comparison per assert, with `==`, `is` or `is not`: make it two asserts");
    if (word == "as") fail(next.place, "found `as`", "Leave out `as` and the name after it");
  }
  fail(next.place, fmt::format("found {}, expected {}", describe(next), expected), "");
}

}  // namespace plumbline::program
