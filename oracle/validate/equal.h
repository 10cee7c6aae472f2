// Whether two terms that differ are equal all the same, for all values: Z3 is asked.
#pragma once

#include <string>

#include "oracle/validate/terms.h"

namespace plumbline::validate {

/// What a solver said of two terms.
struct Settled {
  bool equal = false;        ///< for all values of the variables, and whatever the ops mean
  std::string unknown = {};  ///< why nothing is known: the two are not equal as far as anyone can say
};

/// Asks whether two terms of one dtype can have different bytes. Integers and bools are converted as PyTorch converts
/// them, and memory in another dtype has the same bytes; ops, and what is rounded, are functions without meaning.
/// An unspecified term is equal to none.
Settled ask_solver(const Terms& terms, Term before, Term after);

}  // namespace plumbline::validate
