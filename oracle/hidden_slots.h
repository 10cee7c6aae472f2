// The slots that a custom function's forward assigns, for implementations whose snapshots cannot show them.
#pragma once

#include <set>

#include "spec/vocabulary/observation.h"

namespace plumbline {

/// The slots that forwards of the script assign. They end with their forward: Python has no name for them any more, and
/// a forward that was captured in a graph has no tensors to show.
std::set<Slot> slots_of_forwards(const Script& script);

/// The snapshot that the reference expects, as one shows it that lacks those of `may_lack` that `got` lacks: `storage`
/// and `base` name the lowest slot that is shown.
Outcome without_hidden(const Outcome& expected, const Outcome& got, const std::set<Slot>& may_lack);

}  // namespace plumbline
