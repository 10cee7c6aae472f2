// The parser's inside: a reader of tokens, and the grammar of expressions.
#pragma once

#include <string>
#include <vector>

#include "oracle/program/token.h"

namespace plumbline::program {

/// Goes through the tokens of a file, and words the errors about them.
class TokenReader {
 public:
  TokenReader(std::vector<Token> tokens, std::string file) : tokens_(std::move(tokens)), file_(std::move(file)) {}

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool at_symbol(std::string_view symbol) const { return at(TokenKind::symbol) && peek().text == symbol; }
  bool at_word(std::string_view word) const { return at(TokenKind::name) && peek().text == word; }
  Token take();
  /// Takes the symbol if it is next.
  bool accept(std::string_view symbol);
  /// Takes the symbol, or fails with "found …, expected 'symbol' <why>".
  void expect(std::string_view symbol, std::string_view why);
  /// A name that is no keyword of Python's; `what` says what it would name: "a parameter".
  Token expect_name(std::string_view what);
  /// The end of the statement; its comment.
  std::string expect_line_end();

  [[noreturn]] void fail(Place place, std::string problem, std::string advice) const;
  /// Fails at the next token: it has a refusal of its own, or else "found …, expected `expected`".
  [[noreturn]] void refuse_next(std::string_view expected) const;
  const std::string& file() const { return file_; }

 private:
  std::vector<Token> tokens_;
  std::string file_;
  std::size_t at_ = 0;
};

/// What may stand in an expression besides values and one call.
struct Extras {
  bool key_sets = false;  ///< key sets made and masked where a redispatch or a guard takes one, `log.append(repr(ks))`
  std::string starred;    ///< the name that may be handed on as `*name`; empty: none
};

/// A value, a dotted name or a call, with the rule "one call a statement" checked.
Expression parse_expression(TokenReader& tokens, const Extras& extras = {});

}  // namespace plumbline::program
