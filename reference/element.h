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
  double real = 0;           ///< for a floating dtype
  std::int64_t integer = 0;  ///< for an integer dtype, and bool (0 or 1)
  bool known = true;         ///< false: unspecified
  double error = 0;          ///< for a floating dtype
  std::int32_t trace = -1;   ///< its number on a Tape; −1: it is on no tape
};

}  // namespace plumbline::reference
