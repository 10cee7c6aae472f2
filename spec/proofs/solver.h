// Z3, behind an interface of terms: the one place that knows it is z3_solver.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "spec/proofs/term.h"

namespace plumbline::proofs {

/// Work, not time: the same on every machine and in every run.
inline constexpr std::uint64_t kResourceLimit = 20'000'000;

/// What a solver said of "can all of these hold?".
struct Answer {
  enum class Kind : std::uint8_t { unsatisfiable, satisfiable, unknown };

  Kind kind = Kind::unknown;
  std::string why = {};                     ///< where unknown
  std::map<Term, std::string> values = {};  ///< where satisfiable: of each term asked for, as SMT-LIB prints it
  std::uint64_t resources = 0;              ///< Z3's rlimit count
  double milliseconds = 0;
};

/// Asks Z3 whether all `premises` and `goals` can hold, and if so for the values of `watched`. Questions with the same
/// premises one after the other share them.
Answer solve(std::span<const Term> premises, std::span<const Term> goals, std::span<const Term> watched = {},
             std::uint64_t resource_limit = kResourceLimit);

/// "Z3 5.4.0".
std::string solver_version();

}  // namespace plumbline::proofs
