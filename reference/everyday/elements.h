// Functions of elements, with a bound on how far another implementation's result may be.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "reference/arithmetic.h"

namespace plumbline::reference::everyday {

using RealOfOne = double (*)(double);
using RealOfTwo = double (*)(double, double);

/// A function of real numbers.
struct RealFunction {
  double ulps = 0;         ///< how many units in the last place of its result another implementation may be off
  double absolute = 0;     ///< the same in units of the dtype's last place of 1: where large terms cancel
  bool jumps = false;      ///< it is not continuous: no bound of an argument becomes one of the result
  double most = HUGE_VAL;  ///< for larger arguments, PyTorch's kernels differ: vectors overflow where elements do not
  bool by_exp = false;     ///< so they do where exp(|argument|) overflows
  bool flushes = false;    ///< a result near the smallest normal number may be 0: its reciprocal overflows
};

/// The value of `at(arguments)` in a floating dtype. The bounds of the arguments become one of the result, by the
/// function's values at their ends.
template <class At>
Element real_value(Dtype dtype, const RealFunction& function, At at, std::span<const Element> arguments) {
  std::vector<double> point;
  Element out;
  bool bounded = false;
  for (const Element& argument : arguments) {
    point.push_back(argument.real);
    out.known = out.known && argument.known && !(std::fabs(argument.real) > function.most);
    bounded = bounded || argument.error > 0;
  }
  const double exact = at(std::span<const double>(point));
  out.real = Arithmetic(dtype).constant(exact).real;
  const double quarter = dtype == Dtype::float64 ? 0x1p1022 : 0x1p126;  // of the greatest number
  if (function.by_exp && std::isfinite(out.real) && std::fabs(exact) > quarter) out.known = false;
  const double smallest = dtype == Dtype::float64 ? 0x1p-1022 : 0x1p-126;  // normal number
  if (function.flushes && std::fabs(exact) < 8 * smallest) out.error = 8 * smallest;
  if (function.ulps > 0) out.error += function.ulps * ulp_of(out.real, dtype);
  if (function.absolute > 0) out.error += function.absolute * ulp_of(1, dtype);
  if (bounded) {
    double change = 0;
    bool open = false;
    for (std::size_t corner = 0; corner < (std::size_t{1} << point.size()); ++corner) {
      for (std::size_t i = 0; i < point.size(); ++i)
        point[i] = arguments[i].real + ((corner >> i & 1U) != 0 ? arguments[i].error : -arguments[i].error);
      const double there = at(std::span<const double>(point));
      const bool same = there == exact || (std::isnan(there) && std::isnan(exact));
      if (!same) change = std::fmax(change, std::fabs(there - exact));
      open = open || (!same && (function.jumps || !std::isfinite(there - exact)));
    }
    if (change > 0) out.error += change + ulp_of(out.real, dtype);
    out.known = out.known && !open;
  }
  if (!std::isfinite(out.real)) {
    out.known = out.known && (std::isnan(exact) || std::isinf(exact));  // no bound holds across an overflow
    out.error = 0;
  }
  return out;
}

/// A bool, or an unspecified element.
inline Element truth(std::optional<bool> value) {
  return value ? Element{.integer = *value ? 1 : 0} : Element{.known = false};
}

/// Whether the element is not 0; nothing if its bound leaves that open.
inline std::optional<bool> is_true(const Element& element, Dtype dtype) {
  if (!element.known) return std::nullopt;
  const Element converted_to_bool = converted(element, dtype, Dtype::boolean);
  return converted_to_bool.known ? std::optional(converted_to_bool.integer != 0) : std::nullopt;
}

}  // namespace plumbline::reference::everyday
