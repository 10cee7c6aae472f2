// One element of a tensor, as the reference computes with it.
#pragma once

#include <cstdint>

#include "spec/dtype.h"

namespace plumbline::reference {

/// A number of a dtype, or a value that the spec leaves free.
///
/// `error` bounds how far another implementation's value may lie from this one: 0 as long as every order of computation
/// gives the same bits; `Arithmetic` adds to it where a result had to be rounded.
struct Element {
  double real = 0;           ///< of a floating dtype
  std::int64_t integer = 0;  ///< of int64, int32 and bool (0 or 1)
  bool known = true;         ///< false: unspecified
  double error = 0;          ///< of a floating dtype
  std::int32_t trace = -1;   ///< which number of a Tape it is; −1: of none
};

}  // namespace plumbline::reference
