// Lemmas about products, quotients and remainders: templates that are proved in Symbolic, where a product is a product,
// and instantiated in Opaque, where it is an uninterpreted function.
#pragma once

#include <span>
#include <vector>

#include "spec/proofs/symbolic.h"

namespace plumbline::proofs {

// The ring: with these, every way of writing a polynomial in Opaque has the same value.
template <Domain D>
Bool<D> product_commutes(const Num<D>& a, const Num<D>& b) {
  return a * b == b * a;
}
template <Domain D>
Bool<D> product_associates(const Num<D>& a, const Num<D>& b, const Num<D>& c) {
  return (a * b) * c == a * (b * c);
}
template <Domain D>
Bool<D> sum_distributes(const Num<D>& a, const Num<D>& b, const Num<D>& c) {
  return (a + b) * c == a * c + b * c;
}
template <Domain D>
Bool<D> difference_distributes(const Num<D>& a, const Num<D>& b, const Num<D>& c) {
  return (a - b) * c == a * c - b * c;
}
template <Domain D>
Bool<D> choice_distributes(const Bool<D>& condition, const Num<D>& a, const Num<D>& b, const Num<D>& c) {
  return select(condition, a, b) * c == select(condition, a * c, b * c);
}
template <Domain D>
Bool<D> product_of_zero(const Num<D>& a, const Num<D>& b) {
  return implies(a == Num<D>(0), a * b == Num<D>(0));
}

// Order.
/// A product grows with its first factor, if the second is not negative.
template <Domain D>
Bool<D> product_grows(const Num<D>& a, const Num<D>& b, const Num<D>& c) {
  return implies(a <= b && Num<D>(0) <= c, a * c <= b * c);
}
/// A row and a column number a place within a table of `rows` by `columns`.
template <Domain D>
Bool<D> place_within(const Num<D>& row, const Num<D>& rows, const Num<D>& column, const Num<D>& columns) {
  const Num<D> place = row * columns + column;
  return implies(Num<D>(0) <= row && row < rows && Num<D>(0) <= column && column < columns,
                 Num<D>(0) <= place && place < rows * columns);
}

// Division by numbers of at least 1.
/// The dividend is the quotient times the divisor, plus a remainder below the divisor.
template <Domain D>
Bool<D> division(const Num<D>& n, const Num<D>& c) {
  return implies(Num<D>(1) <= c, n == (n / c) * c + n % c && Num<D>(0) <= n % c && n % c < c);
}
template <Domain D>
Bool<D> quotient_not_negative(const Num<D>& n, const Num<D>& c) {
  return implies(Num<D>(1) <= c && Num<D>(0) <= n, Num<D>(0) <= n / c);
}
template <Domain D>
Bool<D> quotient_below(const Num<D>& n, const Num<D>& a, const Num<D>& c) {
  return implies(Num<D>(1) <= c && Num<D>(0) <= n && n < a * c, Num<D>(0) <= n / c && n / c < a);
}
/// Two divisions of one number have one quotient and one remainder.
template <Domain D>
Bool<D> division_unique(const Num<D>& q, const Num<D>& r, const Num<D>& p, const Num<D>& s, const Num<D>& c) {
  const auto remains = [&](const Num<D>& rest) { return Num<D>(0) <= rest && rest < c; };
  return implies(q * c + r == p * c + s && remains(r) && remains(s), q == p && r == s);
}
/// A multiple plus a rest below the divisor divides into exactly these.
template <Domain D>
Bool<D> division_of_sum(const Num<D>& q, const Num<D>& r, const Num<D>& c) {
  const Num<D> n = q * c + r;
  return implies(Num<D>(0) <= r && r < c, n / c == q && n % c == r);
}

/// Instances of the lemmas of the ring, of `division` and of `quotient_not_negative` for every product, quotient and
/// remainder of `terms`, and for those in the instances. They are true, so they add no assumption.
std::vector<Term> instances(std::span<const Term> terms);

}  // namespace plumbline::proofs
