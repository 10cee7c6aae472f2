// What differs between two sweeps: what a release changed, law by law.
#pragma once

#include <string>
#include <vector>

#include "sweep/sweep.h"

namespace plumbline::sweep {

/// An operator that both sweeps called, and a law that one of them breaks.
struct Change {
  std::string law;  ///< "OP-03", or "crash"
  std::string what;
  std::string op;
  bool is_new = false;  ///< the second breaks it, and the first does not; else the other way round
};

struct Changes {
  std::size_t both = 0;              ///< operators that both called
  std::vector<std::string> added;    ///< operators that only the second registers
  std::vector<std::string> removed;  ///< operators that only the first registers
  std::vector<Change> changes;       ///< in the order of laws, words and operators; those that are new first
};

/// `before` and `after`: sweeps with the same options. Operators that one of them did not call are left out: no law was
/// asked there.
Changes changes(const SweepReport& before, const SweepReport& after);

std::string to_text(const Changes& changes, const std::string& before, const std::string& after, bool all);
nlohmann::ordered_json to_json(const Changes& changes);

}  // namespace plumbline::sweep
