// The grammar of asserts and of raised errors.
#include "language/observe.h"
#include "language/parser.h"

namespace plumbline::program {
namespace {

/// Whether an expression is a question that is answered with True or False, so that an assert needs no comparison.
bool asks(const Expression& e) {
  const auto* call = std::get_if<Invocation>(&e.node);
  return call != nullptr && is_query(dotted_name(*call->callee));
}

}  // namespace

Assert parse_assert(TokenReader& tokens, const Extras& extras) {
  const Place place = tokens.take().place;
  const Token sign = tokens.peek();
  const bool denied = tokens.at_word("not");
  if (denied) tokens.take();
  Expression left = parse_expression(tokens, extras);
  if (asks(left) && tokens.at(TokenKind::newline)) return {std::move(left), Relation::is, {!denied, place}};
  if (denied) tokens.fail(sign.place, "found `not`", "Write the comparison, as in `assert x.is_inference() is False`");
  Relation relation = Relation::equal;
  if (tokens.at_word("is")) {
    tokens.take();
    relation = tokens.at_word("not") ? (tokens.take(), Relation::is_not) : Relation::is;
  } else if (tokens.at(TokenKind::newline) || tokens.at_symbol(",")) {
    tokens.fail(place, "an assert without a comparison",
                "Write what is expected, as in `assert x.is_inference() is True`");
  } else if (!tokens.accept("==")) {
    tokens.refuse_next("`==`, `is` or `is not` after the observation");
  }
  Expression right = parse_expression(tokens, extras);
  if (tokens.at_symbol("==") || tokens.at_word("is"))
    tokens.fail(tokens.peek().place, "found a second comparison",
                "Write one comparison per assert: make it two asserts");
  if (tokens.at_symbol(","))
    tokens.fail(tokens.peek().place, "found a message after an assert", "Write it as a comment after '#'");
  return {std::move(left), relation, std::move(right)};
}

Raise parse_raise(TokenReader& tokens, const Extras& extras) {
  const Place place = tokens.take().place;
  constexpr const char* kForm = "Write `raise RuntimeError(\"…\")`";
  if (tokens.at(TokenKind::newline)) tokens.fail(place, "found `raise` without an error", kForm);
  Expression value = parse_expression(tokens, extras);
  if (tokens.at_word("from")) tokens.fail(tokens.peek().place, "found `from` after an error", kForm);
  return {std::move(value)};
}

}  // namespace plumbline::program
