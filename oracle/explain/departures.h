// Where an implementation differs from the reference, and what explains each difference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/compare.h"
#include "oracle/waivers.h"
#include "spec/rules/rule.h"

namespace plumbline::explain {

/// One difference between the reference and an implementation.
struct Departure {
  Difference difference;
  /// Rules that have a variant in the implementation's own profile; each variant alone makes this difference.
  std::vector<const Rule*> rules;
  /// Its own profile has this difference, although no single variant makes it.
  bool by_profile = false;
  std::optional<Waiver> waiver;

  bool explained() const { return !rules.empty() || by_profile || waiver.has_value(); }
};

/// An implementation compared with the reference.
struct Held {
  std::string name;  ///< as given to `--on`
  Description description;
  Comparison comparison;
  std::vector<Departure> departures;  ///< of all statements that ran on both sides, in their order
  std::string verdict, message;       ///< of `plumbline run` for the same program; set by the caller

  std::size_t unexplained() const;  ///< departures
};

/// Runs a script on an implementation and compares it with the reference under `profile`; `test` is its name in
/// waivers. Unlike `compare`, it continues after the first statement that differs, so later differences may follow from
/// it.
Held hold(const Script& script, const std::string& test, const std::string& name, Adapter& adapter, Profile profile,
          Waivers& waivers);

}  // namespace plumbline::explain
