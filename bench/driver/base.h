// What `--against` names: a saved measurement, whose runner perhaps still runs, or another implementation.
#pragma once

#include <optional>
#include <string>

#include "bench/driver/against.h"
#include "bench/driver/race.h"
#include "bench/driver/saved.h"

namespace plumbline::bench {

/// What `--against` names.
struct Base {
  std::optional<Contender> contender;  ///< set if it can be measured beside the new one
  std::optional<Saved> saved;
  std::string what;     ///< in words
  std::string why_not;  ///< why it cannot be measured again
};

/// Throws SavedError if there is no such report, or if it is malformed.
Base base_of(const AgainstOptions& options, const Contender& fresh);

}  // namespace plumbline::bench
