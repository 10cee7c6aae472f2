// Earlier statements: those on whose effects a statement depends, with the facts that held there.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spec/vocabulary/profile.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

/// A statement that a later one depends on.
struct EarlierStatement {
  std::string name;             ///< "expand", as in signatures
  std::set<std::string> facts;  ///< that held there (oracle/facts.h)
};

/// The statements before `place` that made or changed the tensors of the statement there, or the one in `read`, with
/// their values, memory or history; in order. Each backward counts, because gradients go where no name shows it.
std::vector<EarlierStatement> earlier_statements(Profile profile, const Script& script, std::size_t place,
                                                 std::optional<Slot> read);

}  // namespace plumbline
