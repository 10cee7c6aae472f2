// Arithmetic on complex elements.
#include "reference/complex_arithmetic.h"

#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>

namespace plumbline::reference {

namespace {

/// How many units in the last place of its size a quotient may be off: a dozen rounded steps.
constexpr double kQuotientUlps = 16;

/// Whether no step of a division can leave the range of a float32.
bool is_moderate(const Element& a) {
  const double size = std::fmax(std::fabs(a.real), std::fabs(a.imag));
  return size == 0 || (size > 0x1p-30 && size < 0x1p30);
}

std::complex<double> number(const Element& a) { return {a.real, a.imag}; }

}  // namespace

Element complex_sum(Dtype dtype, const Element& a, const Element& b, Tape* tape) {
  const Arithmetic in(part_of(dtype), tape);
  return joined(in.add(part(a, false), part(b, false)), in.add(part(a, true), part(b, true)));
}

Element complex_sum(Dtype dtype, std::span<const Element> terms, Tape* tape) {
  std::vector<Element> real, imag;
  for (const Element& term : terms) {
    real.push_back(part(term, false));
    imag.push_back(part(term, true));
  }
  const Arithmetic in(part_of(dtype), tape);
  return joined(in.sum(real), in.sum(imag));
}

Element complex_product(Dtype dtype, const Element& a, const Element& b, Tape* tape) {
  const Arithmetic in(part_of(dtype), tape);
  const auto times = [&](bool of_a, bool of_b) { return in.multiply(part(a, of_a), part(b, of_b)); };
  return joined(in.subtract(times(false, false), times(true, true)), in.add(times(false, true), times(true, false)));
}

namespace {

/// Adds `result` to the tape, whose derivative by `of` is the complex number `by`: each part depends on both.
void depends(Tape& tape, Dtype dtype, Element& result, std::initializer_list<std::pair<Element, Element>> terms) {
  const Arithmetic in(part_of(dtype));
  std::vector<Tape::Term> real, imag;
  for (const auto& [of, by] : terms) {
    const Element u = part(by, false), v = part(by, true);
    real.insert(real.end(), {{of.trace, u}, {of.imag_trace, in.apply(UnaryFunction::negate, v)}});
    imag.insert(imag.end(), {{of.trace, v}, {of.imag_trace, u}});
  }
  result.trace = tape.record(std::move(real));
  result.imag_trace = tape.record(std::move(imag));
}

Element untraced(Element element) {
  element.trace = element.imag_trace = -1;
  return element;
}

}  // namespace

Element complex_quotient(Dtype dtype, const Element& a, const Element& b, Tape* tape) {
  const double divisor = std::abs(number(b));
  if (!is_moderate(a) || !is_moderate(b) || divisor <= b.error) {
    Element open{.known = false};
    if (tape != nullptr) depends(*tape, dtype, open, {{a, open}, {b, open}});
    return open;
  }
  const std::complex<double> quotient = number(a) / number(b);
  const double size = std::abs(quotient);
  const Arithmetic in(dtype);
  Element out{.real = in.constant(quotient.real()).real,
              .known = a.known && b.known,
              .imag = in.constant(quotient.imag()).real};
  out.error = kQuotientUlps * ulp_of(size, dtype) + (a.error + size * b.error) / (divisor - b.error) +
              std::numeric_limits<double>::denorm_min();  // the sign of a zero is open
  if (tape == nullptr) return out;
  const Element below = untraced(b);
  const Element by_a = complex_quotient(dtype, Element{.real = 1}, below, nullptr);
  const Element by_b =
      complex_negative(dtype, UnaryFunction::negate, complex_quotient(dtype, out, below, nullptr), nullptr);
  depends(*tape, dtype, out, {{a, by_a}, {b, by_b}});
  return out;
}

Element complex_negative(Dtype dtype, UnaryFunction function, const Element& a, Tape* tape) {
  if (function != UnaryFunction::negate)
    throw std::logic_error("the reference has no such function of complex numbers");
  Element out{.real = -a.real, .known = a.known, .error = a.error, .imag = -a.imag};
  const bool zero = a.real == 0 || a.imag == 0;  // vectors subtract from 0, so the sign of a zero is open
  if (zero && a.error == 0) out.error = std::numeric_limits<double>::denorm_min();
  if (tape != nullptr) depends(*tape, dtype, out, {{a, Element{.real = -1}}});
  return out;
}

std::optional<bool> complex_equal(Dtype dtype, const Element& a, const Element& b) {
  const Arithmetic in(part_of(dtype));
  const std::optional<bool> real = in.equal(part(a, false), part(b, false));
  const std::optional<bool> imag = in.equal(part(a, true), part(b, true));
  if ((real && !*real) || (imag && !*imag)) return false;
  return real && imag ? std::optional(true) : std::nullopt;
}

}  // namespace plumbline::reference
