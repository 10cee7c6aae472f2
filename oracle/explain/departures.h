// Where an implementation departs from the reference, and what explains it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/compare.h"
#include "oracle/waivers.h"
#include "spec/rule.h"

namespace plumbline::explain {

/// One difference between the reference and an implementation.
struct Departure {
  Difference difference;
  /// The rules from which the implementation's own profile departs, each of which alone makes this difference.
  std::vector<const Rule*> rules;
  /// Its own profile has this difference, though no one rule makes it.
  bool by_profile = false;
  std::optional<Waiver> waiver;

  bool explained() const { return !rules.empty() || by_profile || waiver.has_value(); }
};

/// An implementation held against the reference.
struct Held {
  std::string name;  ///< as given to `--on`
  Description description;
  Comparison comparison;
  std::vector<Departure> departures;  ///< of all statements that ran on both sides, in their order

  /// Divergent, and every difference is explained.
  bool explained() const;
};

/// Runs a script on an implementation and compares it with the reference under `profile`; `test` is how waivers name
/// it. Unlike `compare`, it goes on behind the first statement that differs, so what it finds there may follow from it.
Held hold(const Script& script, const std::string& test, const std::string& name, Adapter& adapter, Profile profile,
          Waivers& waivers);

}  // namespace plumbline::explain
