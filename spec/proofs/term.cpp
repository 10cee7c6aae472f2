// The arena of terms, and their simplification.
#include "spec/proofs/term.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "spec/vocabulary/concrete.h"

namespace plumbline::proofs {

namespace {

struct Stored {
  Operator op;
  Sort sort;
  bool bound;
  std::uint64_t payload;
  std::vector<Term> arguments;

  bool operator==(const Stored&) const = default;
};
struct Hash {
  std::size_t operator()(const Stored& s) const {
    std::uint64_t h = (static_cast<std::uint64_t>(s.op) << 8U | static_cast<std::uint64_t>(s.sort)) ^ s.payload;
    for (const Term t : s.arguments) h = (h ^ t.index) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(h ^ (h >> 32U));
  }
};

class Arena {
 public:
  Arena() { make({Operator::literal, Sort::Truth, false, 0, {}}); }

  Term make(Stored stored) {
    const auto [found, fresh] = index_.try_emplace(std::move(stored), static_cast<std::uint32_t>(terms_.size()));
    if (fresh) terms_.push_back(&found->first);
    return {found->second};
  }
  const Stored& at(Term t) const { return *terms_[t.index]; }
  std::size_t size() const { return terms_.size(); }

  std::uint64_t name(std::string_view text) {
    const auto [found, fresh] = numbers_.try_emplace(std::string(text), names_.size());
    if (fresh) names_.push_back(found->first);
    return found->second;
  }
  std::string_view name(std::uint64_t number) const { return names_[static_cast<std::size_t>(number)]; }

 private:
  std::unordered_map<Stored, std::uint32_t, Hash> index_;  // its keys do not move
  std::vector<const Stored*> terms_;
  std::map<std::string, std::uint64_t> numbers_;
  std::vector<std::string> names_;
};

Arena& arena() {
  thread_local Arena one;
  return one;
}

Term make(Operator op, Sort sort, std::vector<Term> arguments, std::uint64_t payload = 0) {
  bool bound = false;
  for (const Term t : arguments) bound = bound || arena().at(t).bound;
  return arena().make({op, sort, bound, payload, std::move(arguments)});
}

Term literal(Sort sort, std::uint64_t payload) { return arena().make({Operator::literal, sort, false, payload, {}}); }

/// The payload of a literal.
std::optional<std::uint64_t> value(Term t) {
  const Stored& s = arena().at(t);
  return s.op == Operator::literal ? std::optional(s.payload) : std::nullopt;
}
bool is(Term t, std::uint64_t payload) { return value(t) == payload; }
bool opposite(Term a, Term b) {
  const Stored& x = arena().at(a);
  const Stored& y = arena().at(b);
  return (x.op == Operator::negate && x.arguments[0] == b) || (y.op == Operator::negate && y.arguments[0] == a);
}

struct Choosing {
  Term condition, yes, no;
};
/// The parts of a choice with a literal on one side. Whether it equals a literal is decided by its conditions alone, so
/// that "the highest backend is CUDA" has no number in it.
std::optional<Choosing> choice_among_literals(Term t) {
  const Stored& s = arena().at(t);
  if (s.op != Operator::choose || s.sort == Sort::Truth) return std::nullopt;
  if (!value(s.arguments[1]) && !value(s.arguments[2])) return std::nullopt;
  return Choosing{s.arguments[0], s.arguments[1], s.arguments[2]};
}

void wants(Sort sort, std::initializer_list<Term> terms) {
  for (const Term t : terms)
    if (arena().at(t).sort != sort) throw std::logic_error("an operation received a term of the wrong sort");
}

std::int64_t signed_of(std::uint64_t payload) { return static_cast<std::int64_t>(payload); }

/// An operation on two integers, computed if both are literals.
template <class Compute>
Term arithmetic(Operator op, Sort sort, Term a, Term b, const Compute& compute) {
  wants(Sort::Integer, {a, b});
  const auto x = value(a);
  const auto y = value(b);
  if (x && y)
    if (const std::optional<std::uint64_t> result = compute(signed_of(*x), signed_of(*y)); result)
      return literal(sort, *result);
  return make(op, sort, {a, b});
}

/// A result that does not fit in 64 bits is left to the solver, whose integers are unbounded.
template <class Builtin>
std::optional<std::uint64_t> exact(const Builtin& builtin, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (builtin(a, b, &result)) return std::nullopt;
  return static_cast<std::uint64_t>(result);
}

/// The bound variables of a term that neither a `for_all` in it nor `around` binds.
std::set<Term> unbound(Term term, std::span<const Term> around) {
  std::set<Term> found;
  std::set<Term> seen;
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term t = open.back();
    open.pop_back();
    const Stored& s = arena().at(t);
    if (!s.bound || !seen.insert(t).second) continue;
    if (s.op == Operator::variable) {
      found.insert(t);
    } else if (s.op == Operator::for_all) {
      found.merge(unbound(s.arguments.back(), std::span(s.arguments).first(s.arguments.size() - 1)));
    } else {
      open.insert(open.end(), s.arguments.begin(), s.arguments.end());
    }
  }
  for (const Term v : around) found.erase(v);
  return found;
}

}  // namespace

Term truth(bool value) { return literal(Sort::Truth, value ? 1 : 0); }
Term word(std::uint64_t value) { return literal(Sort::Word, value); }
Term integer(std::int64_t value) { return literal(Sort::Integer, static_cast<std::uint64_t>(value)); }

Term variable(std::string_view name, Sort sort) { return make(Operator::variable, sort, {}, arena().name(name)); }
Term bound_variable(std::string_view name, Sort sort) {
  return arena().make({Operator::variable, sort, true, arena().name(name), {}});
}
Term apply(std::string_view name, Sort sort, std::vector<Term> arguments) {
  return make(Operator::apply, sort, std::move(arguments), arena().name(name));
}

Term negate(Term a) {
  wants(Sort::Truth, {a});
  if (const auto v = value(a)) return truth(*v == 0);
  const Stored& s = arena().at(a);
  return s.op == Operator::negate ? s.arguments[0] : make(Operator::negate, Sort::Truth, {a});
}

Term both(Term a, Term b) {
  wants(Sort::Truth, {a, b});
  if (is(a, 0) || is(b, 0) || opposite(a, b)) return truth(false);
  if (is(a, 1) || a == b) return b;
  if (is(b, 1)) return a;
  return make(Operator::both, Sort::Truth, {std::min(a, b), std::max(a, b)});
}

Term either(Term a, Term b) {
  wants(Sort::Truth, {a, b});
  if (is(a, 1) || is(b, 1) || opposite(a, b)) return truth(true);
  if (is(a, 0) || a == b) return b;
  if (is(b, 0)) return a;
  return make(Operator::either, Sort::Truth, {std::min(a, b), std::max(a, b)});
}

Term implies(Term a, Term b) { return either(negate(a), b); }

Term same(Term a, Term b) {
  const Sort sort = arena().at(a).sort;
  wants(sort, {b});
  if (a == b) return truth(true);
  if (value(a) && value(b)) return truth(false);
  if (sort == Sort::Truth) {
    if (value(a)) return is(a, 1) ? b : negate(b);
    if (value(b)) return is(b, 1) ? a : negate(a);
    if (opposite(a, b)) return truth(false);
  }
  if (value(a)) std::swap(a, b);
  if (const auto chosen = choice_among_literals(a); chosen && value(b))
    return choose(chosen->condition, same(chosen->yes, b), same(chosen->no, b));
  return make(Operator::same, Sort::Truth, {std::min(a, b), std::max(a, b)});
}

Term choose(Term condition, Term yes, Term no) {
  const Sort sort = arena().at(yes).sort;
  wants(Sort::Truth, {condition});
  wants(sort, {no});
  if (const auto v = value(condition)) return *v != 0 ? yes : no;
  if (yes == no) return yes;
  if (sort == Sort::Truth) {
    if (is(yes, 1) || yes == condition) return either(condition, no);
    if (is(yes, 0)) return both(negate(condition), no);
    if (is(no, 0) || no == condition) return both(condition, yes);
    if (is(no, 1)) return either(negate(condition), yes);
  }
  const Stored& s = arena().at(condition);
  if (s.op == Operator::negate) return choose(s.arguments[0], no, yes);
  return make(Operator::choose, sort, {condition, yes, no});
}

Term bit_and(Term a, Term b) {
  wants(Sort::Word, {a, b});
  const auto x = value(a);
  const auto y = value(b);
  if (x && y) return word(*x & *y);
  if (is(a, 0) || is(b, 0)) return word(0);
  if (is(a, ~0ULL) || a == b) return b;
  if (is(b, ~0ULL)) return a;
  return make(Operator::bit_and, Sort::Word, {std::min(a, b), std::max(a, b)});
}

Term bit_or(Term a, Term b) {
  wants(Sort::Word, {a, b});
  const auto x = value(a);
  const auto y = value(b);
  if (x && y) return word(*x | *y);
  if (is(a, ~0ULL) || is(b, ~0ULL)) return word(~0ULL);
  if (is(a, 0) || a == b) return b;
  if (is(b, 0)) return a;
  return make(Operator::bit_or, Sort::Word, {std::min(a, b), std::max(a, b)});
}

Term bit_not(Term a) {
  wants(Sort::Word, {a});
  if (const auto v = value(a)) return word(~*v);
  const Stored& s = arena().at(a);
  return s.op == Operator::bit_not ? s.arguments[0] : make(Operator::bit_not, Sort::Word, {a});
}

Term add(Term a, Term b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  return arithmetic(Operator::add, Sort::Integer, std::min(a, b), std::max(a, b), [](auto x, auto y) {
    return exact([](auto i, auto j, auto* r) { return __builtin_add_overflow(i, j, r); }, x, y);
  });
}
Term subtract(Term a, Term b) {
  if (is(b, 0)) return a;
  if (a == b) return integer(0);
  return arithmetic(Operator::subtract, Sort::Integer, a, b, [](auto x, auto y) {
    return exact([](auto i, auto j, auto* r) { return __builtin_sub_overflow(i, j, r); }, x, y);
  });
}
Term multiply(Term a, Term b) {
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  if (is(a, 0) || is(b, 0)) return integer(0);
  return arithmetic(Operator::multiply, Sort::Integer, std::min(a, b), std::max(a, b), [](auto x, auto y) {
    return exact([](auto i, auto j, auto* r) { return __builtin_mul_overflow(i, j, r); }, x, y);
  });
}
Term divide(Term a, Term b) {
  if (is(b, 1)) return a;
  return arithmetic(Operator::divide, Sort::Integer, a, b, [](auto x, auto y) -> std::optional<std::uint64_t> {
    if (y == 0 || y == -1) return std::nullopt;  // division by zero is undefined, and by -1 it can overflow
    return static_cast<std::uint64_t>(Concrete::divide(x, y));
  });
}
Term remainder(Term a, Term b) {
  return arithmetic(Operator::remainder, Sort::Integer, a, b, [](auto x, auto y) -> std::optional<std::uint64_t> {
    if (y == 0 || y == -1) return std::nullopt;
    return static_cast<std::uint64_t>(Concrete::remainder(x, y));
  });
}
Term less(Term a, Term b) {
  if (a == b) return truth(false);
  return arithmetic(Operator::less, Sort::Truth, a, b,
                    [](auto x, auto y) { return std::optional<std::uint64_t>(x < y ? 1 : 0); });
}

Term for_all(std::vector<Term> variables, Term body) {
  wants(Sort::Truth, {body});
  if (value(body) || variables.empty()) return body;
  for (const Term v : variables)
    if (arena().at(v).op != Operator::variable || !arena().at(v).bound)
      throw std::logic_error("a for_all binds only variables that bound_variable made");
  const std::set<Term> open = unbound(body, variables);
  variables.push_back(body);
  return arena().make({Operator::for_all, Sort::Truth, !open.empty(), 0, std::move(variables)});
}

Node node(Term term) {
  const Stored& s = arena().at(term);
  return {s.op, s.sort, s.bound, s.payload, s.arguments};
}
Sort sort_of(Term term) { return arena().at(term).sort; }
std::string_view name_of(Term term) { return arena().name(arena().at(term).payload); }
bool is_literal(Term term) { return arena().at(term).op == Operator::literal; }
std::size_t terms_made() { return arena().size(); }

}  // namespace plumbline::proofs
