// Verdicts, their order, and their exit codes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/exit_codes.h"

namespace plumbline {

/// The worst wins: a later one outranks an earlier one.
enum class Verdict : std::uint8_t { pass, unsupported, unspecified, unknown, divergent, harness_error };

std::string_view name_of(Verdict verdict);

/// Counts of verdicts, with their summary line and exit code.
struct Tally {
  std::size_t passed = 0, unsupported = 0, unspecified = 0, unknown = 0, divergent = 0, waived = 0, harness_errors = 0;

  void add(Verdict verdict);
  std::size_t total() const;
  /// "P of N passed, U unsupported, S unspecified, D divergent", with waived and unknown if there are any.
  std::string line() const;
  /// 0 no divergence and something passed; 1 divergence (or, if all are required, not everything passed); 3 harness
  /// failure; 4 nothing passed or is waived; 5 nothing worse than unknown.
  int exit_code(bool require_all) const;
};

}  // namespace plumbline
