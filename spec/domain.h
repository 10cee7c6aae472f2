// The value domains over which a rule is written once: a rule template runs on plain machine values
// (`Concrete`) and, in the prover, on solver terms, without a second copy of the rule.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

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
  constexpr Bool(B b) : v(D::truth(b)) {}  // NOLINT(google-explicit-constructor): literals read as themselves
  static constexpr Bool of(typename D::Truth t) {
    Bool b;
    b.v = t;
    return b;
  }

  friend constexpr Bool operator!(const Bool& a) { return of(D::negate(a.v)); }
  friend constexpr Bool operator&&(const Bool& a, const Bool& b) { return of(D::both(a.v, b.v)); }
  friend constexpr Bool operator||(const Bool& a, const Bool& b) { return of(D::either(a.v, b.v)); }
  friend constexpr Bool operator==(const Bool& a, const Bool& b) { return of(D::same(a.v, b.v)); }
};

/// An integer of domain D: a size, a stride, an offset, a version.
template <Domain D>
struct Num {
  typename D::Integer v;

  constexpr Num() : v(D::integer(0)) {}
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr Num(I i) : v(D::integer(static_cast<std::int64_t>(i))) {}  // NOLINT(google-explicit-constructor)
  static constexpr Num of(typename D::Integer i) {
    Num n;
    n.v = i;
    return n;
  }

  friend constexpr Num operator+(const Num& a, const Num& b) { return of(D::add(a.v, b.v)); }
  friend constexpr Num operator-(const Num& a, const Num& b) { return of(D::subtract(a.v, b.v)); }
  friend constexpr Num operator*(const Num& a, const Num& b) { return of(D::multiply(a.v, b.v)); }
  /// Euclidean; by zero: unspecified, so callers guard it.
  friend constexpr Num operator/(const Num& a, const Num& b) { return of(D::divide(a.v, b.v)); }
  friend constexpr Num operator%(const Num& a, const Num& b) { return of(D::remainder(a.v, b.v)); }
  friend constexpr Bool<D> operator<(const Num& a, const Num& b) { return Bool<D>::of(D::less(a.v, b.v)); }
  friend constexpr Bool<D> operator>(const Num& a, const Num& b) { return b < a; }
  friend constexpr Bool<D> operator<=(const Num& a, const Num& b) { return !(b < a); }
  friend constexpr Bool<D> operator>=(const Num& a, const Num& b) { return !(a < b); }
  friend constexpr Bool<D> operator==(const Num& a, const Num& b) { return Bool<D>::of(D::same_integer(a.v, b.v)); }
};

/// One of the enumerators of E (creation metadata, an error class), as a word of domain D.
template <Domain D, class E>
struct Choice {
  typename D::Word v;

  constexpr Choice() : v(D::word(0)) {}
  constexpr Choice(E e) : v(D::word(static_cast<std::uint64_t>(e))) {}  // NOLINT(google-explicit-constructor)
  static constexpr Choice of(typename D::Word w) {
    Choice c;
    c.v = w;
    return c;
  }
  friend constexpr Bool<D> operator==(const Choice& a, const Choice& b) { return Bool<D>::of(D::same_word(a.v, b.v)); }
};

/// `condition ? yes : no`, in every domain; both sides are computed. Overload it for a record of such values.
template <Domain D>
constexpr Bool<D> select(const Bool<D>& condition, const std::type_identity_t<Bool<D>>& yes,
                         const std::type_identity_t<Bool<D>>& no) {
  return Bool<D>::of(D::choose(condition.v, yes.v, no.v));
}
template <Domain D>
constexpr Num<D> select(const Bool<D>& condition, const Num<D>& yes, const std::type_identity_t<Num<D>>& no) {
  return Num<D>::of(D::choose_integer(condition.v, yes.v, no.v));
}
template <Domain D, class E>
constexpr Choice<D, E> select(const Bool<D>& condition, const Choice<D, E>& yes,
                              const std::type_identity_t<Choice<D, E>>& no) {
  return Choice<D, E>::of(D::choose_word(condition.v, yes.v, no.v));
}

}  // namespace plumbline
