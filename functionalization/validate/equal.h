// Asking Z3 whether two different terms are equal for all values.
#pragma once

#include <string>

#include "functionalization/validate/terms.h"

namespace plumbline::validate {

/// The solver's answer about two terms.
struct Settled {
  bool equal = false;        ///< for all values of the variables and all meanings of the ops
  std::string unknown = {};  ///< why the solver could not decide; then the terms count as different
};

/// Asks whether two terms of one dtype can have different bytes. Integers and bools are converted as PyTorch converts
/// them, and memory in another dtype has the same bytes; ops and rounding are uninterpreted functions. An
/// unspecified term is not equal to any term.
Settled ask_solver(const Terms& terms, Term before, Term after);

}  // namespace plumbline::validate
