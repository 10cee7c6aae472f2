// The value domains over which a rule is written once: a rule template runs on plain machine values
// (`Concrete`) and, in the prover, on solver terms, without a second copy of the rule.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "spec/vocabulary/sites.h"

/// The inline namespace of every domain. A build with sites uses another one, so that the linker never mixes the two.
#ifdef PLUMBLINE_SITES
#define PLUMBLINE_DOMAINS sited
#else
#define PLUMBLINE_DOMAINS plain
#endif

namespace plumbline {

/// What a domain supplies: representations of truth values, 64-bit words and integers, and the operations on
/// them. All are pure. Division and remainder are SMT-LIB's (Euclidean), not C++'s.
template <class D>
concept Domain = requires(typename D::Truth b, typename D::Word w, typename D::Integer i, bool cb, std::uint64_t cw,
                          std::int64_t ci) {
  { D::truth(cb) } -> std::same_as<typename D::Truth>;
  { D::negate(b) } -> std::same_as<typename D::Truth>;
  { D::both(b, b) } -> std::same_as<typename D::Truth>;
  { D::either(b, b) } -> std::same_as<typename D::Truth>;
  { D::same(b, b) } -> std::same_as<typename D::Truth>;
  { D::choose(b, b, b) } -> std::same_as<typename D::Truth>;
  { D::word(cw) } -> std::same_as<typename D::Word>;
  { D::bit_and(w, w) } -> std::same_as<typename D::Word>;
  { D::bit_or(w, w) } -> std::same_as<typename D::Word>;
  { D::bit_not(w) } -> std::same_as<typename D::Word>;
  { D::same_word(w, w) } -> std::same_as<typename D::Truth>;
  { D::choose_word(b, w, w) } -> std::same_as<typename D::Word>;
  { D::integer(ci) } -> std::same_as<typename D::Integer>;
  { D::add(i, i) } -> std::same_as<typename D::Integer>;
  { D::subtract(i, i) } -> std::same_as<typename D::Integer>;
  { D::multiply(i, i) } -> std::same_as<typename D::Integer>;
  { D::divide(i, i) } -> std::same_as<typename D::Integer>;
  { D::remainder(i, i) } -> std::same_as<typename D::Integer>;
  { D::less(i, i) } -> std::same_as<typename D::Truth>;
  { D::same_integer(i, i) } -> std::same_as<typename D::Truth>;
  { D::choose_integer(b, i, i) } -> std::same_as<typename D::Integer>;
};

/// A truth value of domain D. It does not convert to `bool`: `if (x)` must not compile in a rule, not even in
/// the concrete domain; use `select`.
template <Domain D>
struct Bool {
  typename D::Truth v;

  constexpr Bool() : v(D::truth(false)) {}
  template <std::same_as<bool> B>
  constexpr Bool(B b, Here here = Here::current())  // NOLINT(google-explicit-constructor): literals read as themselves
      : v(D::truth(b != mutated(here, Token::truth))) {}
  static constexpr Bool of(typename D::Truth t) {
    Bool b;
    b.v = t;
    return b;
  }

  friend constexpr Bool operator!(Left<Bool> a) { return mutated(a, Token::negate) ? of(a.v) : of(D::negate(a.v)); }
  friend constexpr Bool operator&&(Left<Bool> a, const Bool& b) {
    return of(mutated(a, Token::both) ? D::either(a.v, b.v) : D::both(a.v, b.v));
  }
  friend constexpr Bool operator||(Left<Bool> a, const Bool& b) {
    return of(mutated(a, Token::either) ? D::both(a.v, b.v) : D::either(a.v, b.v));
  }
  friend constexpr Bool operator==(Left<Bool> a, Left<Bool> b) {
    return turned_if(mutated(a, Token::same), D::same(a.v, b.v));
  }
  friend constexpr Bool operator!=(Left<Bool> a, Left<Bool> b) {
    return turned_if(!mutated(a, Token::same), D::same(a.v, b.v));
  }

  /// `truth`, or its opposite if `turn` (in a mutant).
  static constexpr Bool turned_if(bool turn, typename D::Truth truth) { return of(turn ? D::negate(truth) : truth); }
};

/// An integer of domain D: a size, a stride, an offset, a version.
template <Domain D>
struct Num {
  typename D::Integer v;

  constexpr Num() : v(D::integer(0)) {}
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr Num(I i, Here here = Here::current())  // NOLINT(google-explicit-constructor): literals, likewise
      : v(D::integer(static_cast<std::int64_t>(i) + (mutated(here, Token::number) ? 1 : 0))) {}
  static constexpr Num of(typename D::Integer i) {
    Num n;
    n.v = i;
    return n;
  }

  friend constexpr Num operator+(Left<Num> a, const Num& b) {
    return of(mutated(a, Token::add) ? D::subtract(a.v, b.v) : D::add(a.v, b.v));
  }
  friend constexpr Num operator-(Left<Num> a, const Num& b) {
    return of(mutated(a, Token::subtract) ? D::add(a.v, b.v) : D::subtract(a.v, b.v));
  }
  friend constexpr Num operator*(Left<Num> a, const Num& b) {
    return of(mutated(a, Token::multiply) ? D::add(a.v, b.v) : D::multiply(a.v, b.v));
  }
  /// Euclidean. Division by zero is unspecified, so callers avoid it.
  friend constexpr Num operator/(Left<Num> a, const Num& b) {
    return of(mutated(a, Token::divide) ? D::multiply(a.v, b.v) : D::divide(a.v, b.v));
  }
  friend constexpr Num operator%(Left<Num> a, const Num& b) {
    return of(mutated(a, Token::remainder) ? D::multiply(a.v, b.v) : D::remainder(a.v, b.v));
  }
  friend constexpr Bool<D> operator<(Left<Num> a, const Num& b) {
    return mutated(a, Token::less) ? at_most(a, b) : below(a, b);
  }
  friend constexpr Bool<D> operator>(Left<Num> a, const Num& b) {
    return mutated(a, Token::greater) ? at_most(b, a) : below(b, a);
  }
  friend constexpr Bool<D> operator<=(Left<Num> a, const Num& b) {
    return mutated(a, Token::at_most) ? below(a, b) : at_most(a, b);
  }
  friend constexpr Bool<D> operator>=(Left<Num> a, const Num& b) {
    return mutated(a, Token::at_least) ? below(b, a) : at_most(b, a);
  }
  friend constexpr Bool<D> operator==(Left<Num> a, Left<Num> b) {
    return Bool<D>::turned_if(mutated(a, Token::same), D::same_integer(a.v, b.v));
  }
  friend constexpr Bool<D> operator!=(Left<Num> a, Left<Num> b) {
    return Bool<D>::turned_if(!mutated(a, Token::same), D::same_integer(a.v, b.v));
  }

 private:
  static constexpr Bool<D> below(const Num& a, const Num& b) { return Bool<D>::of(D::less(a.v, b.v)); }
  static constexpr Bool<D> at_most(const Num& a, const Num& b) { return Bool<D>::of(D::negate(D::less(b.v, a.v))); }
};

/// The enumerator that a mutant puts in place of one: the first, or the second in place of the first.
template <class E>
constexpr std::uint64_t word_of_choice(E e, bool other) {
  const auto word = static_cast<std::uint64_t>(e);
  return other ? (word == 1 ? 0 : 1) : word;
}

/// One of the enumerators of E (creation metadata, an error class), as a word of domain D.
template <Domain D, class E>
struct Choice {
  typename D::Word v;

  constexpr Choice() : v(D::word(0)) {}
  constexpr Choice(E e, Here here = Here::current())  // NOLINT(google-explicit-constructor): enumerators, likewise
      : v(D::word(word_of_choice(e, mutated(here, Token::choice)))) {}
  static constexpr Choice of(typename D::Word w) {
    Choice c;
    c.v = w;
    return c;
  }
  friend constexpr Bool<D> operator==(Left<Choice> a, Left<Choice> b) {
    return Bool<D>::turned_if(mutated(a, Token::same), D::same_word(a.v, b.v));
  }
  friend constexpr Bool<D> operator!=(Left<Choice> a, Left<Choice> b) {
    return Bool<D>::turned_if(!mutated(a, Token::same), D::same_word(a.v, b.v));
  }
};

/// A select's condition, as a mutant may have turned it.
template <Domain D>
constexpr typename D::Truth decides(const Bool<D>& condition, Here here) {
  meet_condition(here, condition.v);
  return Bool<D>::turned_if(mutated(here, Token::select), condition.v).v;
}

/// `condition ? yes : no`, in every domain; both sides are computed. Overload it for a record of such values.
template <Domain D>
constexpr Bool<D> select(const Bool<D>& condition, const std::type_identity_t<Bool<D>>& yes,
                         const std::type_identity_t<Bool<D>>& no, Here here = Here::current()) {
  return Bool<D>::of(D::choose(decides(condition, here), yes.v, no.v));
}
template <Domain D>
constexpr Num<D> select(const Bool<D>& condition, const Num<D>& yes, const std::type_identity_t<Num<D>>& no,
                        Here here = Here::current()) {
  return Num<D>::of(D::choose_integer(decides(condition, here), yes.v, no.v));
}
template <Domain D, class E>
constexpr Choice<D, E> select(const Bool<D>& condition, const Choice<D, E>& yes,
                              const std::type_identity_t<Choice<D, E>>& no, Here here = Here::current()) {
  return Choice<D, E>::of(D::choose_word(decides(condition, here), yes.v, no.v));
}

}  // namespace plumbline
