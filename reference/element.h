// One element of a tensor, as the reference represents it.
#pragma once

#include <cstdint>

#include "spec/vocabulary/dtype.h"

namespace plumbline::reference {

/// A number of a dtype, or an unspecified value.
///
/// `error` bounds how far another implementation's value may be from this one. It is 0 while every order of computation
/// gives the same bits; `Arithmetic` increases it when a result is rounded.
struct Element {
  double real = 0;               ///< for a floating dtype, and the real part for a complex one
  std::int64_t integer = 0;      ///< for an integer dtype, and bool (0 or 1)
  bool known = true;             ///< false: unspecified
  double error = 0;              ///< for a floating dtype, and for both parts of a complex one
  std::int32_t trace = -1;       ///< its number on a Tape, or its real part's; −1: it is on no tape
  std::int32_t imag_trace = -1;  ///< that of the imaginary part
  double imag = 0;               ///< for a complex dtype
};

/// The real part, or the imaginary one, as an element of the parts' dtype.
inline Element part(const Element& element, bool imaginary) {
  return {.real = imaginary ? element.imag : element.real,
          .known = element.known,
          .error = element.error,
          .trace = imaginary ? element.imag_trace : element.trace};
}
/// The complex element with these parts.
inline Element joined(const Element& real, const Element& imag) {
  return {.real = real.real,
          .known = real.known && imag.known,
          .error = real.error > imag.error ? real.error : imag.error,
          .trace = real.trace,
          .imag_trace = imag.trace,
          .imag = imag.real};
}

}  // namespace plumbline::reference
