// Arithmetic on elements.
#include "reference/arithmetic.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "reference/complex_arithmetic.h"
#include "spec/vocabulary/half.h"

namespace plumbline::reference {

namespace {

std::int64_t wrap(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
std::uint64_t bits(std::int64_t integer) { return static_cast<std::uint64_t>(integer); }

double as_dtype(double value, Dtype dtype) {
  dtype = part_of(dtype);
  if (is_half(dtype)) return rounded_to_half(value, dtype);
  return dtype == Dtype::float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

double evaluate(UnaryFunction function, double x) {
  switch (function) {
    case UnaryFunction::negate:
      return -x;
    case UnaryFunction::exp:
      return std::exp(x);
    case UnaryFunction::tanh:
      return std::tanh(x);
    case UnaryFunction::sqrt:
      return std::sqrt(x);
    case UnaryFunction::relu:
      return x < 0 ? 0.0 : x;  // −0 and NaN stay
  }
  throw std::logic_error("the reference does not know this function");
}

/// The derivative, by the function's result `y`.
double slope(UnaryFunction function, double y) {
  switch (function) {
    case UnaryFunction::negate:
      return -1;
    case UnaryFunction::exp:
      return y;
    case UnaryFunction::tanh:
      return 1 - y * y;
    case UnaryFunction::sqrt:
      return 1 / (2 * y);
    case UnaryFunction::relu:
      return y <= 0 ? 0 : 1;  // also for NaN
  }
  throw std::logic_error("the reference does not know this function");
}

}  // namespace

std::vector<Element> with_free_zeros(std::vector<Element> elements) {
  for (Element& element : elements)
    if (element.real == 0 && element.error == 0) element.error = std::numeric_limits<double>::denorm_min();
  return elements;
}

double ulp_of(double value, Dtype dtype) {
  dtype = part_of(dtype);
  const double size = std::fabs(value);
  if (!std::isfinite(size)) return 0;
  if (is_half(dtype)) return ulp_of_half(size, dtype);
  if (dtype == Dtype::float32) {
    const auto narrow = static_cast<float>(size);
    return static_cast<double>(std::nextafter(narrow, std::numeric_limits<float>::infinity()) - narrow);
  }
  return std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
}

std::int64_t wrapped_integer(std::int64_t value, Dtype dtype) {
  if (dtype == Dtype::boolean) return value != 0 ? 1 : 0;
  switch (dtype) {
    case Dtype::int32:
      return static_cast<std::int32_t>(value);
    case Dtype::int16:
      return static_cast<std::int16_t>(value);
    case Dtype::int8:
      return static_cast<std::int8_t>(value);
    case Dtype::uint8:
      return static_cast<std::uint8_t>(value);
    default:
      return value;
  }
}

namespace {

/// A conversion from or to a complex dtype: a real number has the imaginary part 0, and a real dtype drops it
/// [c10/core/Scalar.h; c10/util/TypeCast.h, maybe_real].
Element converted_complex(const Element& element, Dtype from, Dtype to, Tape* tape) {
  const bool complex = is_complex(from);
  const Element real = complex ? part(element, false) : element;
  if (to == Dtype::boolean) {
    const double largest = std::fmax(std::fabs(element.real), std::fabs(element.imag));
    const bool truth = element.real != 0 || element.imag != 0;
    return {.integer = truth ? 1 : 0, .known = element.known && (element.error == 0 || largest > element.error)};
  }
  if (!is_complex(to)) return converted(real, part_of(from), to, tape);
  const Element imag = complex ? part(element, true) : Element{.known = element.known};
  return joined(converted(real, part_of(from), part_of(to), tape),
                converted(imag, part_of(complex ? from : to), part_of(to), tape));
}

}  // namespace

Element converted(const Element& element, Dtype from, Dtype to, Tape* tape) {
  if (from == to) return element;
  if (is_complex(from) || is_complex(to)) return converted_complex(element, from, to, tape);
  Element out{.known = element.known};
  const bool floating = is_floating(from);
  const double real = floating ? element.real : static_cast<double>(element.integer);
  if (to == Dtype::boolean) {
    out.integer = real != 0 ? 1 : 0;
    out.known = out.known && (element.error == 0 || std::fabs(real) > element.error);
    return out;
  }
  if (!is_floating(to)) {
    // Out of range or NaN: C++ leaves the conversion undefined, and so does the specification.
    const IntegerRange range = range_of(to);
    const bool wide = to == Dtype::int64;
    const double below = wide ? -9.2e18 : static_cast<double>(range.least) - 1;
    const double above = wide ? 9.2e18 : static_cast<double>(range.greatest) + 1;
    const bool in_range = !floating || (real > below && real < above);
    out.integer = floating ? (in_range ? static_cast<std::int64_t>(real) : 0) : wrapped_integer(element.integer, to);
    out.known = out.known && in_range && element.error == 0;
    return out;
  }
  out.real = as_dtype(real, to);
  out.error = element.error;
  const bool whole = floating || (std::fabs(real) < 0x1p63 && static_cast<std::int64_t>(real) == element.integer);
  const bool exact = whole && out.real == real;
  // An integer that a double cannot hold is rounded once, or twice if it is converted to double first.
  if (!exact && !std::isnan(real) && (element.error > 0 || !whole)) out.error += ulp_of(out.real, to);
  // Near the largest half, the bound leaves open whether the result overflows.
  if (is_half(to) && element.error > 0 && std::isfinite(real) &&
      !std::isfinite(as_dtype(std::fabs(real) + out.error, to)))
    out.known = false;
  if (tape != nullptr && element.trace >= 0)
    out.trace = tape->record({{element.trace, Element{.real = 1, .integer = 1}}});
  return out;
}

namespace {

/// Whether the rounding error of a result of this size is at least the smallest double.
bool rest_shows(double value) { return std::fabs(value) > 0x1p-960; }

}  // namespace

Element Arithmetic::constant(double real) const { return converted(Element{.real = real}, Dtype::float64, dtype_); }

Element Arithmetic::rounded(double value, bool exact, double error) const {
  Element out{.real = as_dtype(value, dtype_), .error = error};
  if (!exact || out.real != value) out.error += ulp_of(out.real, dtype_);
  if (!std::isfinite(out.real)) {  // no bound holds across an overflow
    out.known = out.error == 0 || std::isnan(out.error) || std::isnan(value);
    out.error = 0;
  }
  return out;
}

Element Arithmetic::whole(std::int64_t value) const { return Element{.integer = wrapped_integer(value, dtype_)}; }

Element Arithmetic::traced(Element result, std::vector<Tape::Term> terms) const {
  if (tape_ != nullptr) result.trace = tape_->record(std::move(terms));
  return result;
}

Element Arithmetic::add(const Element& a, const Element& b) const {
  if (is_complex(dtype_)) return complex_sum(dtype_, a, b, tape_);
  const bool known = a.known && b.known;
  if (!is_floating(dtype_)) {
    Element out =
        dtype_ == Dtype::boolean ? whole(a.integer | b.integer) : whole(wrap(bits(a.integer) + bits(b.integer)));
    out.known = known;
    return out;
  }
  const double sum = a.real + b.real;
  const double rest = sum - a.real;
  const bool exact = !std::isfinite(sum) || (a.real - (sum - rest)) + (b.real - rest) == 0.0;
  Element out = rounded(sum, exact, a.error + b.error);
  out.known = out.known && known;
  const Element one{.real = 1};
  return traced(out, {{a.trace, one}, {b.trace, one}});
}

Element Arithmetic::subtract(const Element& a, const Element& b) const {
  return add(a, apply(UnaryFunction::negate, b));
}

Element Arithmetic::multiply(const Element& a, const Element& b) const {
  if (is_complex(dtype_)) return complex_product(dtype_, a, b, tape_);
  const bool known = a.known && b.known;
  if (!is_floating(dtype_)) {
    Element out = whole(wrap(bits(a.integer) * bits(b.integer)));
    out.known = known;
    return out;
  }
  const double product = a.real * b.real;
  const bool exact = !std::isfinite(product) || a.real == 0 || b.real == 0 ||
                     (rest_shows(product) && std::fma(a.real, b.real, -product) == 0.0);
  double error = 0;
  if (a.error > 0 || b.error > 0)  // at least the sign of a zero is open
    error = std::fabs(a.real) * b.error + std::fabs(b.real) * a.error + a.error * b.error +
            std::numeric_limits<double>::denorm_min();
  Element out = rounded(product, exact, error);
  out.known = out.known && known;
  Element by_a = b;
  Element by_b = a;
  by_a.trace = by_b.trace = -1;
  return traced(out, {{a.trace, by_a}, {b.trace, by_b}});
}

Element Arithmetic::divide(const Element& a, const Element& b) const {
  if (is_complex(dtype_)) return complex_quotient(dtype_, a, b, tape_);
  const double quotient = a.real / b.real;
  double error = 0;
  const double least = std::fabs(b.real) - b.error;
  if (a.error > 0 || b.error > 0)
    error = least > 0 ? (a.error + std::fabs(quotient) * b.error) / least + std::numeric_limits<double>::denorm_min()
                      : std::numeric_limits<double>::infinity();
  const bool exact =
      !std::isfinite(quotient) || a.real == 0 || (rest_shows(a.real) && std::fma(quotient, b.real, -a.real) == 0.0);
  Element out = rounded(quotient, exact, error);
  out.known = out.known && a.known && b.known && std::isfinite(error);
  if (tape_ == nullptr || (a.trace < 0 && b.trace < 0)) return out;
  const Arithmetic plain(dtype_);
  Element divisor = b;
  Element ratio = out;
  divisor.trace = ratio.trace = -1;
  const Element by_a = plain.divide(Element{.real = 1}, divisor);
  const Element by_b = plain.apply(UnaryFunction::negate, plain.divide(ratio, divisor));
  return traced(out, {{a.trace, by_a}, {b.trace, by_b}});
}

Element Arithmetic::apply(UnaryFunction function, const Element& a) const {
  if (is_complex(dtype_)) return complex_negative(dtype_, function, a, tape_);
  if (!is_floating(dtype_)) {
    Element out =
        function == UnaryFunction::negate ? whole(wrap(0 - bits(a.integer))) : whole(a.integer > 0 ? a.integer : 0);
    out.known = a.known;
    return out;
  }
  const double value = evaluate(function, a.real);
  const bool moves_only = function == UnaryFunction::negate || function == UnaryFunction::relu;
  Element out{.real = as_dtype(value, dtype_), .known = a.known, .error = moves_only ? a.error : 0};
  if (!moves_only && std::isfinite(out.real)) {
    const bool known_root = function == UnaryFunction::sqrt && std::isnormal(a.real) && out.real * out.real == a.real;
    const bool known_point = a.real == 0 && a.error == 0;  // exp(0), tanh(0), sqrt(0)
    if (!known_root && !known_point) out.error = kFunctionUlps * ulp_of(out.real, dtype_);
    if (a.error > 0) {
      const double low = evaluate(function, a.real - a.error);
      const double high = evaluate(function, a.real + a.error);
      out.error += std::fmax(std::fabs(high - value), std::fabs(value - low));
      out.known = out.known && !std::isnan(out.error);
    }
  }
  if (!moves_only && !std::isfinite(out.real)) out.known = out.known && (a.error == 0);
  if (tape_ == nullptr || a.trace < 0) return out;
  Element partial{.real = as_dtype(slope(function, out.real), dtype_), .known = out.known};
  if (function == UnaryFunction::relu && a.error > 0 && std::fabs(a.real) <= a.error) partial.known = false;
  // Where the result is 0, the gradient is set to 0: no gradient, however large, is multiplied by 0
  // [aten/src/ATen/native/cpu/Activation.cpp, threshold_kernel].
  if (function == UnaryFunction::relu && partial.known && partial.real == 0) return out;
  if (!moves_only) {
    const double from = slope(function, out.real - out.error);
    const double to = slope(function, out.real + out.error);
    partial.error = std::fmax(std::fabs(from - partial.real), std::fabs(to - partial.real));
    if (partial.error > 0 || function != UnaryFunction::exp)
      partial.error += kFunctionUlps * ulp_of(partial.real, dtype_);
    if (!std::isfinite(partial.error)) partial.known = partial.known && out.error == 0;
    if (!std::isfinite(partial.error)) partial.error = 0;
  }
  return traced(out, {{a.trace, partial}});
}

Element Arithmetic::sum(std::span<const Element> terms) const {
  if (is_complex(dtype_)) return complex_sum(dtype_, terms, tape_);
  Element out;
  double magnitude = 0;
  double error = 0;
  bool integral = true;
  bool negative_zero = false;
  std::vector<Tape::Term> traces;
  for (const Element& term : terms) {
    out.known = out.known && term.known;
    out.integer = wrap(bits(out.integer) + bits(term.integer));
    out.real += term.real;
    magnitude += std::fabs(term.real);
    error += term.error;
    integral = integral && term.real == std::trunc(term.real);
    negative_zero = negative_zero || (term.real == 0 && std::signbit(term.real));
    if (tape_ != nullptr && term.trace >= 0) traces.push_back({term.trace, Element{.real = 1, .integer = 1}});
  }
  if (!is_floating(dtype_)) {
    out.integer = wrapped_integer(out.integer, dtype_);
    out.real = 0;
    return out;
  }
  const int digits = is_half(dtype_) ? format_of(dtype_).digits : dtype_ == Dtype::float32 ? 24 : 53;
  const double limit = std::ldexp(1.0, digits);
  const bool any_order = terms.size() < 2 || (integral && magnitude <= limit);
  out.integer = 0;
  out.real = as_dtype(out.real, dtype_);
  out.error = error;
  if (!any_order && std::isfinite(magnitude))
    out.error += static_cast<double>(terms.size()) * ulp_of(magnitude, dtype_);
  // the sign of the zero depends on the order too; a bound accepts both
  if (out.real == 0 && negative_zero) out.error = std::fmax(out.error, std::numeric_limits<double>::denorm_min());
  // A sum of halves is accumulated in float32, and some kernels round on the way.
  if (is_half(dtype_) && std::isfinite(magnitude) && terms.size() > 1 && magnitude > format_of(dtype_).greatest)
    out.known = false;
  if (!std::isfinite(out.real)) out.error = 0;
  return traced(out, std::move(traces));
}

std::optional<bool> Arithmetic::less(const Element& a, const Element& b) const {
  if (!a.known || !b.known) return std::nullopt;
  if (!is_floating(dtype_)) return a.integer < b.integer;
  const double slack = a.error + b.error;
  if (slack > 0 && std::fabs(a.real - b.real) <= slack) return std::nullopt;
  return a.real < b.real;
}

std::optional<bool> Arithmetic::equal(const Element& a, const Element& b) const {
  if (is_complex(dtype_)) return complex_equal(dtype_, a, b);
  if (!a.known || !b.known) return std::nullopt;
  if (!is_floating(dtype_)) return a.integer == b.integer;
  const double slack = a.error + b.error;
  if (slack > 0 && std::fabs(a.real - b.real) <= slack) return std::nullopt;
  return a.real == b.real;
}

}  // namespace plumbline::reference
