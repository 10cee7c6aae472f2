// One element of a tensor, as the reference computes with it.
#pragma once

#include <cstdint>

#include "spec/dtype.h"

namespace plumbline::reference {

/// A number of a dtype, or a value that the spec leaves free.
///
/// Floating dtypes are computed in double and rounded to the dtype, which is exact rounding for +, − and × (a double
/// has more than twice float's bits). `exact` is false once a result had to be rounded or left the range in which
/// the order of a sum cannot matter; then only a bound on the error is specified.
struct Element {
  double real = 0;           ///< of a floating dtype
  std::int64_t integer = 0;  ///< of int64
  bool known = true;         ///< false: unspecified
  bool exact = true;
};

}  // namespace plumbline::reference
