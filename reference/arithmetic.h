// Arithmetic on elements by IEEE and two's complement, with a bound on rounding and a trace for derivatives.
#pragma once

#include <optional>
#include <span>

#include "reference/tape.h"

namespace plumbline::reference {

/// How far a result may depend on the order or the library that computes it: elementary functions may be off by 4 units
/// in the last place, each rounded sum or product by one.
inline constexpr double kFunctionUlps = 4;

enum class UnaryFunction : std::uint8_t { negate, exp, tanh, sqrt, relu };

/// Arithmetic in one dtype. Floating results are computed in double and rounded to the dtype; integers wrap; for
/// bool, `add` is or and `multiply` is and. With a tape, results that depend on its numbers are recorded on it.
class Arithmetic {
 public:
  explicit Arithmetic(Dtype dtype, Tape* tape = nullptr) : dtype_(dtype), tape_(tape) {}

  Element constant(double real) const;
  Element add(const Element& a, const Element& b) const;
  Element subtract(const Element& a, const Element& b) const;
  Element multiply(const Element& a, const Element& b) const;
  /// For a floating dtype.
  Element divide(const Element& a, const Element& b) const;
  Element apply(UnaryFunction function, const Element& a) const;
  /// The sum in any order.
  Element sum(std::span<const Element> terms) const;

  /// a < b and a == b, as numbers (false if one is NaN); nothing if the bounds leave it open.
  std::optional<bool> less(const Element& a, const Element& b) const;
  std::optional<bool> equal(const Element& a, const Element& b) const;

  Dtype dtype() const { return dtype_; }
  Tape* tape() const { return tape_; }

 private:
  /// A floating result: `exact` is the result without rounding, `more` the part of exact − `value` beyond double's
  /// precision, `error` the error from the operands' bounds.
  Element rounded(double value, bool exact, double error) const;
  Element whole(std::int64_t value) const;
  Element traced(Element result, std::vector<Tape::Term> terms) const;

  Dtype dtype_;
  Tape* tape_;
};

/// The elements, with the sign of each zero left open: it depends on the order of a sum.
std::vector<Element> with_free_zeros(std::vector<Element> elements);
/// One unit in the last place of `value` in a floating dtype.
double ulp_of(double value, Dtype dtype);
/// `element`, of dtype `from`, converted to `to`: rounded, truncated or made a bool.
Element converted(const Element& element, Dtype from, Dtype to, Tape* tape = nullptr);
/// An integer as `dtype` holds it: wrapped, or made a bool.
std::int64_t wrapped_integer(std::int64_t value, Dtype dtype);

}  // namespace plumbline::reference
