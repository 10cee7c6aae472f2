// The parser's internals: a reader of tokens, and the grammar of expressions.
#pragma once

#include <string>
#include <vector>

#include "language/token.h"

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
  /// A name that is not a Python keyword; `what` says what it names: "a parameter".
  Token expect_name(std::string_view what);
  /// The end of the statement; its comment.
  std::string expect_line_end();

  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }
  /// From the start of a function, a class or a statement outside them, also a decorated one, goes to the next such
  /// start, or to the end. Returns the token that is its name; one without text for a statement, and for a function
  /// that torch.library registers.
  Token skip_part();

  [[noreturn]] void fail(Place place, std::string problem, std::string advice) const;
  /// Fails at the next token, with the token's own refusal or with "found …, expected `expected`".
  [[noreturn]] void refuse_next(std::string_view expected) const;
  const std::string& file() const { return file_; }

 private:
  std::vector<Token> tokens_;
  std::string file_;
  std::size_t at_ = 0;
};

/// What expressions may contain besides values and one call.
struct Extras {
  std::string starred;  ///< the name that may be passed on as `*name`; empty if there is none
};

/// Whether the next statement registers something: `lib = torch.library.…`, `torch.library.…`, `lib.define(…)`,
/// `lib.impl(…)`, `lib._destroy()`, `@torch.library.…`.
bool at_registration(const TokenReader& tokens);

/// The lines `@torch.library.impl(…)` above a `def`, and their comments. Fails for other decorators.
Expressions parse_decorators(TokenReader& tokens, const Extras& extras, std::vector<std::string>& comments);

/// `assert …` and `raise …`, from the word on.
Assert parse_assert(TokenReader& tokens, const Extras& extras);
Raise parse_raise(TokenReader& tokens, const Extras& extras);

/// A value, a dotted name or a call. Fails for a second call in the statement.
Expression parse_expression(TokenReader& tokens, const Extras& extras = {});

}  // namespace plumbline::program
