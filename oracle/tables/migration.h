// The migration table: what becomes of the documentation's two workloads under the old guard and under each new one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/adapter.h"
#include "spec/profile.h"
#include "spec/rule.h"

namespace plumbline::tables {

/// A guard to put around a workload.
struct MigrationGuard {
  std::string_view name;             ///< as C++ has it: "c10::InferenceMode"
  std::string_view python;           ///< as a program has it; empty: no guard
  std::optional<GuardKind> instead;  ///< of what `python` enters: C++ alone has it
};
std::span<const MigrationGuard> migration_guards();

/// A workload of the migration guide; its last statement is `g = w.grad`.
struct Workload {
  std::string_view title;
  std::string_view source;    ///< "inference-mode-docs, line 24"
  std::string_view program;   ///< the body of a test; `GUARD` stands where the guard does
  std::vector<double> right;  ///< what `w.grad` is where the gradient is right
};
const std::vector<Workload>& workloads();

/// How a run of a workload ended.
struct Fate {
  enum class Kind : std::uint8_t {
    right,
    silently_wrong,  ///< a gradient, and not the right one
    error,
    unknown,  ///< nobody can tell: `what` says why
  };
  Kind kind = Kind::unknown;
  std::string what;  ///< the gradient, or the error
};

/// The program with this guard, as a pytest file prints it; marked where C++ alone can run it.
std::string migration_program(const Workload& workload, const MigrationGuard& guard);

Fate computed_fate(const Workload& workload, const MigrationGuard& guard, Profile profile,
                   const Rule* flipped = nullptr);
Fate observed_fate(const Workload& workload, const MigrationGuard& guard, Adapter& adapter);

/// "silently wrong: [6.0, 8.0]".
std::string fate_text(const Fate& fate);

}  // namespace plumbline::tables
