// The migration table: the results of the documentation's workloads under the old guard and under each new guard.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/adapter.h"
#include "spec/rules/rule.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::tables {

/// A guard to put around a workload.
struct MigrationGuard {
  std::string_view name;             ///< in C++: "c10::InferenceMode"
  std::string_view python;           ///< in a program; empty: no guard
  std::optional<GuardKind> instead;  ///< the guard to enter instead of `python`'s, if only C++ has it
};
std::span<const MigrationGuard> migration_guards();

/// A workload of the migration guide; its last statement is `g = w.grad`.
struct Workload {
  std::string_view title;
  std::string_view source;    ///< "inference-mode-docs, line 24"
  std::string_view program;   ///< the body of a test; `GUARD` stands for the guard
  std::vector<double> right;  ///< `w.grad`, if the gradient is right
};
const std::vector<Workload>& workloads();

/// How a run of a workload ended.
struct Fate {
  enum class Kind : std::uint8_t {
    right,
    silently_wrong,  ///< a wrong gradient, and no error
    error,
    unknown,  ///< `what` says why
  };
  Kind kind = Kind::unknown;
  std::string what;  ///< the gradient, or the error
};

/// The program with this guard, as a pytest file; a comment marks a guard that only C++ has.
std::string migration_program(const Workload& workload, const MigrationGuard& guard);

Fate computed_fate(const Workload& workload, const MigrationGuard& guard, Profile profile,
                   const Rule* flipped = nullptr);
Fate observed_fate(const Workload& workload, const MigrationGuard& guard, Adapter& adapter);

/// "silently wrong: [6.0, 8.0]".
std::string fate_text(const Fate& fate);

}  // namespace plumbline::tables
