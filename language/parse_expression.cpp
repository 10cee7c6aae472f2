// The grammar of expressions: literals, dotted names, and one call.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "language/guards.h"
#include "language/parser.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kOneCall =
    "Write one call per statement: give the inner result a name first, as in `y = x.view([6])`";

/// `list(x.shape)`, `list(x.size())` and `torch.Size([2])` are ways to write a value, not calls of an op.
bool is_conversion(const Invocation& call) {
  const std::string callee = dotted_name(*call.callee);
  return (callee == "list" || callee == "tuple" || callee == "torch.Size") && call.positional.size() == 1 &&
         call.keywords.empty();
}

/// The callee of `torch.func.functionalize(body)(x)` or of `torch.vmap(body)(x)`.
bool is_transform(const Expression& callee) {
  const auto* made = std::get_if<Invocation>(&callee.node);
  return made != nullptr && makes_transform(dotted_name(*made->callee));
}

/// `torch.ops.probe.f.default.redispatch(…)`: its first argument is a key set.
bool is_redispatch(const Expression& callee) {
  const auto* method = std::get_if<Attribute>(&callee.node);
  return method != nullptr && method->name == "redispatch";
}

/// `log.append(repr(ks))`.
bool is_log_of_keys(const Invocation& call) {
  if (!dotted_name(*call.callee).ends_with(".append") || call.positional.size() != 1) return false;
  const auto* text = std::get_if<Invocation>(&call.positional[0].node);
  return text != nullptr && dotted_name(*text->callee) == "repr";
}

/// `torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(key))`: the set is a value too.
bool is_guard_of_keys(const Invocation& call) {
  if (dotted_name(*call.callee) != kExcludeGuard || call.positional.size() != 1) return false;
  const auto* set = std::get_if<Invocation>(&call.positional[0].node);
  return set != nullptr && dotted_name(*set->callee) == kKeySet;
}

class ExpressionParser {
 public:
  ExpressionParser(TokenReader& tokens, const Extras& extras) : tokens_(tokens), extras_(extras) {}

  Expression parse() {
    Expression expression = postfix();
    check_calls(expression);
    return expression;
  }

 private:
  /// `a & b | c`, with Python's precedence.
  Expression masks() {
    Expression value = kept();
    while (tokens_.accept("|")) value = masked('|', std::move(value), kept());
    return value;
  }
  Expression kept() {
    Expression value = postfix();
    while (tokens_.accept("&")) value = masked('&', std::move(value), postfix());
    return value;
  }
  Expression masked(char operation, Expression left, Expression right) {
    if (++masks_ > kMaxNesting)
      tokens_.fail(tokens_.peek().place, "this key set has too many masks", "Write fewer of `&` and `|`");
    const Place place = start_of(left);
    return {KeyMask{operation, std::make_shared<const Expression>(std::move(left)),
                    std::make_shared<const Expression>(std::move(right))},
            place};
  }

  Expression postfix() {
    Expression value = atom();
    for (std::size_t depth = 0;; ++depth) {
      if (depth > kMaxNesting) tokens_.fail(tokens_.peek().place, "this expression is too long", std::string(kOneCall));
      if (tokens_.accept(".")) {
        const Token name = tokens_.expect_name("an attribute");
        value = Expression{Attribute{std::make_shared<const Expression>(std::move(value)), name.text}, name.place};
      } else if (tokens_.at_symbol("(")) {
        value = call(std::move(value));
      } else {
        return value;
      }
    }
  }

  Expression call(Expression callee) {
    const Place place = callee.place;
    tokens_.take();
    Invocation call;
    const bool key_set = is_redispatch(callee);
    const bool outer = std::exchange(in_key_set_, false);
    while (!tokens_.at_symbol(")")) {
      if (takes_star()) {
        call.positional.push_back(starred());
        if (!tokens_.at_symbol(")")) tokens_.refuse_next("')' after a starred argument");
        break;
      }
      if (tokens_.at_symbol("*") || tokens_.at_symbol("**"))
        tokens_.fail(tokens_.peek().place, "found a starred argument", "Write each argument out");
      const Token& next = tokens_.peek(1);
      if (tokens_.at(TokenKind::name) && next.kind == TokenKind::symbol && next.text == "=") {
        const Token name = tokens_.expect_name("a keyword argument");
        tokens_.take();
        for (const auto& [other, value] : call.keywords)
          if (other == name.text)
            tokens_.fail(name.place, "the argument " + name.text + "= is given twice", "Give it once");
        call.keywords.push_back({name.text, postfix()});
      } else {
        const Place at = tokens_.peek().place;
        in_key_set_ = key_set && call.positional.empty();
        call.positional.push_back(in_key_set_ ? masks() : postfix());
        in_key_set_ = false;
        if (!call.keywords.empty())
          tokens_.fail(at, "a positional argument follows a keyword argument", "Put the arguments with `name=` last");
      }
      if (tokens_.at_symbol(")")) break;
      separator("')' or ',' after an argument");
    }
    tokens_.take();
    in_key_set_ = outer;
    call.callee = std::make_shared<const Expression>(std::move(callee));
    if (auto special = special_float(call)) return Expression{*special, place};
    if (auto number = complex_number(call)) return Expression{*number, place};
    return Expression{std::move(call), place};
  }

  bool takes_star() const {
    return !extras_.starred.empty() && tokens_.at_symbol("*") && tokens_.peek(1).text == extras_.starred;
  }
  Expression starred() {
    const Place place = tokens_.take().place;
    return {Starred{tokens_.take().text}, place};
  }

  void separator(std::string_view expected) {
    if (!tokens_.accept(",")) tokens_.refuse_next(expected);
  }

  /// `float("inf")`, `float("-inf")`, `float("nan")`: the numbers that have no literal.
  std::optional<double> special_float(const Invocation& call) const {
    if (dotted_name(*call.callee) != "float") return std::nullopt;
    const auto* text = call.positional.size() == 1 ? std::get_if<std::string>(&call.positional[0].node) : nullptr;
    if (text != nullptr && call.keywords.empty()) {
      if (*text == "inf") return std::numeric_limits<double>::infinity();
      if (*text == "-inf") return -std::numeric_limits<double>::infinity();
      if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
    }
    tokens_.fail(start_of(*call.callee), "found a call of float()",
                 "Write the number; only float(\"inf\"), float(\"-inf\") and float(\"nan\") are supported");
  }

  /// `complex(1.0, -2.0)`, of two numbers.
  std::optional<ComplexNumber> complex_number(const Invocation& call) const {
    if (dotted_name(*call.callee) != "complex") return std::nullopt;
    const auto part = [](const Expression& written) -> std::optional<double> {
      if (const auto* real = std::get_if<double>(&written.node)) return *real;
      if (const auto* integer = std::get_if<std::int64_t>(&written.node)) return static_cast<double>(*integer);
      return std::nullopt;
    };
    if (call.positional.size() == 2 && call.keywords.empty()) {
      const auto real = part(call.positional[0]), imag = part(call.positional[1]);
      if (real && imag) return ComplexNumber{*real, *imag};
    }
    tokens_.fail(start_of(*call.callee), "found a call of complex() that is not of two numbers",
                 "Write the real and the imaginary part, as in complex(1.0, -2.0)");
  }

  Expression atom() {
    const Token token = tokens_.peek();
    switch (token.kind) {
      case TokenKind::integer:
        tokens_.take();
        if (token.integer == std::numeric_limits<std::int64_t>::min())
          tokens_.fail(token.place, token.text + " is beyond the range of int64",
                       "Write a number up to 9223372036854775807");
        return {token.integer, token.place};
      case TokenKind::real:
        tokens_.take();
        return {token.real, token.place};
      case TokenKind::string:
        return strings();
      case TokenKind::name:
        return word();
      case TokenKind::symbol:
        if (token.text == "-") return negative();
        if (token.text == "[") return list();
        if (token.text == "(") return tuple();
        [[fallthrough]];
      default:
        tokens_.refuse_next("a value, a name or a call");
    }
  }

  Expression strings() {
    const Place place = tokens_.peek().place;
    std::string text;
    while (tokens_.at(TokenKind::string)) text += tokens_.take().text;
    return {text, place};
  }

  Expression word() {
    const Token token = tokens_.peek();
    if (token.text == "True" || token.text == "False") return {tokens_.take().text == "True", token.place};
    if (token.text == "None") return tokens_.take(), Expression{NoneLiteral{}, token.place};
    return {Name{tokens_.expect_name("a value").text}, token.place};
  }

  Expression negative() {
    const Place place = tokens_.take().place;
    const Token number = tokens_.peek();
    if (number.kind == TokenKind::real) return tokens_.take(), Expression{-number.real, place};
    if (number.kind != TokenKind::integer)
      tokens_.fail(place, "found '-' before something that is not a number",
                   "Programs have no arithmetic: write x.mul(-1)");
    tokens_.take();
    // 2^63 is read as the lowest int64, whose negative is itself.
    if (number.integer == std::numeric_limits<std::int64_t>::min()) return {number.integer, place};
    return {-number.integer, place};
  }

  Expression list() {
    const Place place = tokens_.take().place;
    List list;
    while (!tokens_.at_symbol("]")) {
      const bool outer = std::exchange(in_key_set_, false);
      list.items.push_back(postfix());
      in_key_set_ = outer;
      if (tokens_.at_word("for"))
        tokens_.fail(tokens_.peek().place, "found `for` in a list",
                     "Programs have no control flow: write the elements out");
      if (!tokens_.at_symbol("]")) separator("']' or ',' after an element");
    }
    tokens_.take();
    return {std::move(list), place};
  }

  /// `()`, `(a,)`, `(a, b)`; `(a)` is a.
  Expression tuple() {
    const Place place = tokens_.take().place;
    Tuple tuple;
    bool comma = false;
    while (!tokens_.at_symbol(")")) {
      tuple.items.push_back(in_key_set_ ? masks() : postfix());
      if (tokens_.at_symbol(")")) break;
      separator("')' or ',' after an element");
      comma = true;
    }
    tokens_.take();
    if (tuple.items.size() == 1 && !comma) return tuple.items[0];
    return {std::move(tuple), place};
  }

  /// Fails for a call inside a value.
  void check_value(const Expression& e) const {
    if (const auto* list = std::get_if<List>(&e.node)) return check_values(list->items);
    if (const auto* tuple = std::get_if<Tuple>(&e.node)) return check_values(tuple->items);
    if (const auto* attribute = std::get_if<Attribute>(&e.node)) return check_value(*attribute->value);
    if (std::holds_alternative<Invocation>(e.node))
      tokens_.fail(start_of(e), "found a call inside another expression", std::string(kOneCall));
  }
  void check_values(const Expressions& items) const {
    for (const Expression& item : items) check_value(item);
  }

  /// Fails for a second call. Readings of the dispatcher's key sets are one call in two steps:
  /// `torch._C._dispatch_keys(x).has(key)`.
  void check_calls(const Expression& e) const {
    const auto* call = std::get_if<Invocation>(&e.node);
    if (call == nullptr) return check_value(e);
    for (const auto& [name, value] : call->keywords) check_value(value);
    if (is_conversion(*call) && std::holds_alternative<Invocation>(call->positional[0].node))
      return check_calls(call->positional[0]);
    if (is_log_of_keys(*call)) return check_calls(call->positional[0]);
    if (is_redispatch(*call->callee) && !call->positional.empty()) {
      check_key_set(call->positional[0]);
      check_values({call->positional.begin() + 1, call->positional.end()});
      return check_value(*call->callee);
    }
    if (is_guard_of_keys(*call)) return check_calls(call->positional[0]);
    check_values(call->positional);
    if (is_transform(*call->callee)) return check_calls(*call->callee);
    const auto* method = std::get_if<Attribute>(&call->callee->node);
    const auto* inner = method == nullptr ? nullptr : std::get_if<Invocation>(&method->value->node);
    const bool key_set =
        inner != nullptr && method->name == "has" && dotted_name(*inner->callee).starts_with("torch._C._dispatch_");
    if (key_set) return check_calls(*method->value);
    check_value(*call->callee);
  }

  /// Fails for a call that does not make a key set, as `ks & torch._C.DispatchKeySet(key)` and `ks.remove(key)` do.
  void check_key_set(const Expression& e) const {
    if (const auto* mask = std::get_if<KeyMask>(&e.node)) {
      check_key_set(*mask->left);
      return check_key_set(*mask->right);
    }
    const auto* call = std::get_if<Invocation>(&e.node);
    if (call == nullptr) return check_value(e);
    const auto* method = std::get_if<Attribute>(&call->callee->node);
    const bool removes = method != nullptr && method->name == "remove";
    if (!removes && dotted_name(*call->callee) != kKeySet) return check_value(e);
    if (removes) check_key_set(*method->value);
    check_values(call->positional);
    for (const auto& [name, value] : call->keywords) check_value(value);
  }

  TokenReader& tokens_;
  const Extras& extras_;
  bool in_key_set_ = false;  ///< in the first argument of a redispatch, outside the calls in it
  std::size_t masks_ = 0;
};

}  // namespace

Expression parse_expression(TokenReader& tokens, const Extras& extras) {
  return ExpressionParser(tokens, extras).parse();
}

}  // namespace plumbline::program
