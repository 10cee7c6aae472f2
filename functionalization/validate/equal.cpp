// Terms as bytes, for the solver. Each byte is a word, so splitting and joining bytes gives only lists. All other
// operations are uninterpreted functions, one for each byte of a result. A word may have values that are not a
// byte; with them Z3 can only call fewer terms equal.
#include "functionalization/validate/equal.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <map>

#include "spec/proofs/solver.h"
#include "spec/vocabulary/half.h"

namespace plumbline::validate {
namespace {

using Byte = proofs::Term;
using Bytes = std::vector<Byte>;

/// Z3's resource limit (work, not time): questions are small, and each body asks one.
constexpr std::uint64_t kMostWork = 2'000'000;

/// Whether every value of `from` is one of `to`.
bool holds_all(Dtype to, Dtype from) {
  if (from == Dtype::boolean || from == to) return true;
  if (to == Dtype::float64) return from != Dtype::int64;
  if (to == Dtype::float32) return item_size(from) < 4;
  return is_half(to) && is_integer(from) && item_size(from) == 1;
}

/// A byte of a bool, or of a number's bits.
Byte truth_of(Byte byte) { return choose(same(byte, proofs::word(0)), proofs::word(0), proofs::word(1)); }

/// The sign-extension byte of a number whose highest byte is `top`.
Byte sign_of(Byte top) {
  if (proofs::is_literal(top)) return proofs::word((proofs::node(top).payload & 0x80U) != 0 ? 0xff : 0);
  return proofs::apply("sign", proofs::Sort::Word, {top});
}

class Encoding {
 public:
  explicit Encoding(const Terms& terms) : terms_(terms) {}

  /// The bytes, the lowest first.
  const Bytes& of(Term term) {
    const auto found = done_.find(term);
    if (found != done_.end()) return found->second;
    Bytes made = encode(term);
    return done_.emplace(term, std::move(made)).first->second;
  }

 private:
  std::size_t size_of(Term term) const { return static_cast<std::size_t>(item_size(terms_.dtype(term))); }

  Bytes encode(Term term) {
    const Terms::Node node = terms_.node(term);
    switch (node.kind) {
      case Terms::Kind::variable:
        return each_byte(term, [&](std::size_t i) {
          return proofs::variable(fmt::format("m{}.{}.{}", node.a, node.b, i), proofs::Sort::Word);
        });
      case Terms::Kind::number:
        return number(std::bit_cast<double>(node.c), node.dtype);
      case Terms::Kind::unspecified:
        break;  // no caller asks
      case Terms::Kind::apply:
        return applied(term, fmt::format("op{}", node.a));
      case Terms::Kind::apply_to_list:
        return applied(term, fmt::format("op{}.{}", node.a, node.c));
      case Terms::Kind::list:
      case Terms::Kind::bytes: {
        Bytes all;
        for (const Term item : terms_.arguments(term)) {
          const Bytes& bytes = of(item);
          all.insert(all.end(), bytes.begin(), bytes.end());
        }
        return all;
      }
      case Terms::Kind::converted:
        return converted(static_cast<Term>(node.a), node.dtype);
      case Terms::Kind::range: {
        const auto first = of(static_cast<Term>(node.a)).begin() + (node.b >> 16U);
        return {first, first + (node.b & 0xffffU)};
      }
    }
    return {};
  }

  /// The bytes of a value of which only the dtype is known.
  template <class Make>
  Bytes each_byte(Term term, const Make& make) const {
    Bytes all;
    for (std::size_t i = 0; i < size_of(term); ++i) all.push_back(make(i));
    if (terms_.dtype(term) == Dtype::boolean) all[0] = truth_of(all[0]);
    return all;
  }

  static Bytes number(double value, Dtype dtype) {
    std::uint64_t bits = 0;
    if (is_half(dtype))
      bits = bits_of_half(value, dtype);
    else if (dtype == Dtype::float32)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    else if (dtype == Dtype::float64)
      bits = std::bit_cast<std::uint64_t>(value);
    else
      bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    Bytes all;
    for (std::int64_t i = 0; i < item_size(dtype); ++i) all.push_back(proofs::word(bits >> (8 * i) & 0xffU));
    return all;
  }

  /// A function for each byte of the result; other argument dtypes have other functions.
  Bytes applied(Term term, std::string name) {
    Bytes arguments;
    const auto take = [&](const auto& again, Term argument) -> void {
      if (terms_.node(argument).kind == Terms::Kind::list) {
        for (const Term item : terms_.arguments(argument)) again(again, item);
        return;
      }
      name += fmt::format(".{}", name_of(terms_.dtype(argument)));
      const Bytes& bytes = of(argument);
      arguments.insert(arguments.end(), bytes.begin(), bytes.end());
    };
    for (const Term argument : terms_.arguments(term)) take(take, argument);
    name += fmt::format("-{}", name_of(terms_.dtype(term)));
    return each_byte(term, [&](std::size_t i) {
      return proofs::apply(fmt::format("{}.{}", name, i), proofs::Sort::Word, arguments);
    });
  }

  Bytes converted(Term term, Dtype to) {
    const Terms::Node node = terms_.node(term);
    const Dtype from = node.dtype;
    if (from == to) return of(term);
    if (node.kind == Terms::Kind::converted) {  // through a dtype that holds all values: skip the first conversion
      const auto before = static_cast<Term>(node.a);
      const Dtype first = terms_.dtype(before);
      const bool fits = is_floating(to) || to == Dtype::boolean || first == Dtype::boolean ||
                        (!is_floating(first) && range_of(to).holds(range_of(first).least) &&
                         range_of(to).holds(range_of(first).greatest));
      if (is_floating(from) && holds_all(from, first) && fits) return converted(before, to);
    }
    Bytes bytes = of(term);
    if (is_floating(from) || is_floating(to)) {
      Bytes all;
      for (std::int64_t i = 0; i < item_size(to); ++i)
        all.push_back(
            proofs::apply(fmt::format("to.{}.{}.{}", name_of(from), name_of(to), i), proofs::Sort::Word, bytes));
      if (to == Dtype::boolean) all[0] = truth_of(all[0]);
      return all;
    }
    if (to == Dtype::boolean) {
      Byte none = proofs::truth(true);
      for (const Byte byte : bytes) none = both(none, same(byte, proofs::word(0)));
      return {choose(none, proofs::word(0), proofs::word(1))};
    }
    const bool no_sign = from == Dtype::boolean || from == Dtype::uint8;
    const Byte more = no_sign ? proofs::word(0) : sign_of(bytes.back());
    bytes.resize(static_cast<std::size_t>(item_size(to)), more);
    return bytes;
  }

  const Terms& terms_;
  std::map<Term, Bytes> done_;
};

}  // namespace

Settled ask_solver(const Terms& terms, Term before, Term after) {
  if (!terms.is_specified(before) || !terms.is_specified(after) || terms.dtype(before) != terms.dtype(after)) return {};
  Encoding encoding(terms);
  const Bytes was = encoding.of(before), is = encoding.of(after);
  Byte all = proofs::truth(true);
  for (std::size_t i = 0; i < was.size(); ++i) all = both(all, same(was[i], is[i]));
  const std::array goals{negate(all)};
  const proofs::Answer answer = proofs::solve({}, goals, {}, kMostWork);
  if (answer.kind == proofs::Answer::Kind::unknown) return {false, answer.why};
  return {answer.kind == proofs::Answer::Kind::unsatisfiable};
}

}  // namespace plumbline::validate
