// Arithmetic on elements: what IEEE and two's complement say, with a bound on what rounding may change, and a trace for
// derivatives.
#pragma once

#include <optional>
#include <span>

#include "reference/tape.h"

namespace plumbline::reference {

/// How a result depends on the order or the library that computes it: the elementary functions are allowed 4 units in
/// the last place, rounded sums and products one each time.
inline constexpr double kFunctionUlps = 4;

enum class UnaryFunction : std::uint8_t { negate, exp, tanh, sqrt, relu };

/// Arithmetic in one dtype. Floating results are computed in double and rounded to the dtype; integers wrap; bool has
/// `add` for or, `multiply` for and. Where a tape is given, what depends on one of its numbers is recorded on it.
class Arithmetic {
 public:
  explicit Arithmetic(Dtype dtype, Tape* tape = nullptr) : dtype_(dtype), tape_(tape) {}

  Element constant(double real) const;
  Element add(const Element& a, const Element& b) const;
  Element subtract(const Element& a, const Element& b) const;
  Element multiply(const Element& a, const Element& b) const;
  /// Of a floating dtype.
  Element divide(const Element& a, const Element& b) const;
  Element apply(UnaryFunction function, const Element& a) const;
  /// The sum in any order.
  Element sum(std::span<const Element> terms) const;

  /// a < b and a == b, as numbers (false where one is not a number); nothing where the bounds leave it open.
  std::optional<bool> less(const Element& a, const Element& b) const;
  std::optional<bool> equal(const Element& a, const Element& b) const;

  Dtype dtype() const { return dtype_; }
  Tape* tape() const { return tape_; }

 private:
  /// A floating result: `exact` is what the operation gives without rounding, `more` what exact − `value` is beyond
  /// double's precision, `error` what the operands' bounds make of it.
  Element rounded(double value, bool exact, double error) const;
  Element whole(std::int64_t value) const;
  Element traced(Element result, std::vector<Tape::Term> terms) const;

  Dtype dtype_;
  Tape* tape_;
};

/// The elements, with the sign of each zero left free: it depends on how a sum was made.
std::vector<Element> with_free_zeros(std::vector<Element> elements);
/// One unit in the last place of `value` in a floating dtype.
double ulp_of(double value, Dtype dtype);
/// `element`, of dtype `from`, as a `to`: rounded, truncated or made a truth.
Element converted(const Element& element, Dtype from, Dtype to, Tape* tape = nullptr);
/// An integer as `dtype` holds it: wrapped, or a truth.
std::int64_t wrapped_integer(std::int64_t value, Dtype dtype);

}  // namespace plumbline::reference
