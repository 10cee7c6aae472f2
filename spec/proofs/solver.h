// An interface to Z3 in terms. Only z3_solver.cpp uses Z3 itself.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "spec/proofs/term.h"

namespace plumbline::proofs {

/// A limit on work, not time: the same on every machine and in every run.
inline constexpr std::uint64_t kResourceLimit = 20'000'000;

/// A solver's answer to "can all of these hold?".
struct Answer {
  enum class Kind : std::uint8_t { unsatisfiable, satisfiable, unknown };

  Kind kind = Kind::unknown;
  std::string why = {};                     ///< if unknown
  std::map<Term, std::string> values = {};  ///< if satisfiable: the value of each watched term, as SMT-LIB prints it
  std::uint64_t resources = 0;              ///< Z3's rlimit count
  double milliseconds = 0;                  ///< of the processor; a second solver's: of the clock
};

/// Asks Z3 whether all `premises` and `goals` can hold, and if so for the values of `watched`. Consecutive questions
/// with the same premises share them.
Answer solve(std::span<const Term> premises, std::span<const Term> goals, std::span<const Term> watched = {},
             std::uint64_t resource_limit = kResourceLimit);

/// "Z3 5.4.0".
std::string solver_version();

}  // namespace plumbline::proofs
