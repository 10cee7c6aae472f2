// The symbolic domains: rules on terms. The reference executes a rule on `Concrete`; here it becomes a formula.
#pragma once

#include "spec/proofs/term.h"
#include "spec/vocabulary/domain.h"

namespace plumbline::proofs {

inline namespace PLUMBLINE_DOMAINS {

/// Every value is a term, and every operation builds a term.
struct Symbolic {
  /// Strong types for one representation, so that a domain's three kinds stay apart.
  struct Truth {
    Term t;
  };
  struct Word {
    Term t;
  };
  struct Integer {
    Term t;
  };

  static Truth truth(bool b) { return {proofs::truth(b)}; }
  static Truth negate(Truth a) { return {proofs::negate(a.t)}; }
  static Truth both(Truth a, Truth b) { return {proofs::both(a.t, b.t)}; }
  static Truth either(Truth a, Truth b) { return {proofs::either(a.t, b.t)}; }
  static Truth same(Truth a, Truth b) { return {proofs::same(a.t, b.t)}; }
  static Truth choose(Truth c, Truth a, Truth b) { return {proofs::choose(c.t, a.t, b.t)}; }

  static Word word(std::uint64_t w) { return {proofs::word(w)}; }
  static Word bit_and(Word a, Word b) { return {proofs::bit_and(a.t, b.t)}; }
  static Word bit_or(Word a, Word b) { return {proofs::bit_or(a.t, b.t)}; }
  static Word bit_not(Word a) { return {proofs::bit_not(a.t)}; }
  static Truth same_word(Word a, Word b) { return {proofs::same(a.t, b.t)}; }
  static Word choose_word(Truth c, Word a, Word b) { return {proofs::choose(c.t, a.t, b.t)}; }

  static Integer integer(std::int64_t i) { return {proofs::integer(i)}; }
  static Integer add(Integer a, Integer b) { return {proofs::add(a.t, b.t)}; }
  static Integer subtract(Integer a, Integer b) { return {proofs::subtract(a.t, b.t)}; }
  static Integer multiply(Integer a, Integer b) { return {proofs::multiply(a.t, b.t)}; }
  static Integer divide(Integer a, Integer b) { return {proofs::divide(a.t, b.t)}; }
  static Integer remainder(Integer a, Integer b) { return {proofs::remainder(a.t, b.t)}; }
  static Truth less(Integer a, Integer b) { return {proofs::less(a.t, b.t)}; }
  static Truth same_integer(Integer a, Integer b) { return {proofs::same(a.t, b.t)}; }
  static Integer choose_integer(Truth c, Integer a, Integer b) { return {proofs::choose(c.t, a.t, b.t)}; }
};
static_assert(Domain<Symbolic>);

/// Like Symbolic, but a product, quotient or remainder of two terms that are not literals is uninterpreted, because
/// solvers fail on nonlinear integers. Proofs use instances of lemmas that are proved in Symbolic. A proof in Opaque
/// holds; a refutation may only mean that an instance is missing.
struct Opaque : Symbolic {
  static Integer multiply(Integer a, Integer b) {
    if (is_literal(a.t) || is_literal(b.t)) return Symbolic::multiply(a, b);
    return {apply("times", Sort::Integer, {a.t, b.t})};
  }
  static Integer divide(Integer a, Integer b) {
    return is_literal(b.t) ? Symbolic::divide(a, b) : Integer{apply("quotient", Sort::Integer, {a.t, b.t})};
  }
  static Integer remainder(Integer a, Integer b) {
    return is_literal(b.t) ? Symbolic::remainder(a, b) : Integer{apply("rest", Sort::Integer, {a.t, b.t})};
  }
};
static_assert(Domain<Opaque>);

}  // namespace PLUMBLINE_DOMAINS

/// Free variables of a domain.
template <class D = Symbolic>
Bool<D> any_truth(std::string_view name) {
  return Bool<D>::of({variable(name, Sort::Truth)});
}
template <class D = Symbolic>
Num<D> any_number(std::string_view name) {
  return Num<D>::of({variable(name, Sort::Integer)});
}
template <Domain D>
Bool<D> implies(const Bool<D>& a, const Bool<D>& b) {
  return !a || b;
}

}  // namespace plumbline::proofs
