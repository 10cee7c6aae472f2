// The grammar of what torch.library registers outside functions, and of decorators.
#include <initializer_list>

#include "language/parser.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

bool follows(const TokenReader& tokens, std::size_t ahead, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (tokens.peek(ahead++).text != word) return false;
  return true;
}

}  // namespace

bool at_registration(const TokenReader& tokens) {
  const auto library = [&](std::size_t ahead) { return follows(tokens, ahead, {"torch", ".", "library", "."}); };
  if (tokens.at_symbol("@")) return library(1);
  if (!tokens.at(TokenKind::name)) return false;
  return library(0) || (follows(tokens, 1, {"="}) && library(2)) || follows(tokens, 1, {".", "define", "("}) ||
         follows(tokens, 1, {".", "impl", "("}) || follows(tokens, 1, {".", "_destroy", "("});
}

Expressions parse_decorators(TokenReader& tokens, const Extras& extras, std::vector<std::string>& comments) {
  Expressions decorators;
  while (tokens.at_symbol("@")) {
    if (!at_registration(tokens)) tokens.refuse_next("");
    const Token sign = tokens.take();
    decorators.push_back(parse_expression(tokens, extras));
    const auto* call = std::get_if<Invocation>(&decorators.back().node);
    if (call == nullptr || dotted_name(*call->callee) != "torch.library.impl")
      if (const auto refusal = refuse_symbol("@")) tokens.fail(sign.place, refusal->problem, refusal->advice);
    if (const std::string comment = tokens.expect_line_end(); !comment.empty()) comments.push_back(comment);
    while (tokens.at(TokenKind::comment)) comments.push_back(tokens.take().text);
  }
  if (!tokens.at_word("def")) tokens.refuse_next("`def` below a decorator");
  return decorators;
}

}  // namespace plumbline::program
