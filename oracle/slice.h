// The part of a program that an implementation can be asked to run.
#pragma once

#include <optional>

#include "oracle/compare.h"
#include "reference/state.h"

namespace plumbline {

struct Slice {
  Script script;
  std::size_t left_out = 0;  ///< statements that are not in `script`; a reading that became a snapshot is
};

/// The statements of `script` that `manifest` has, as a program of its own: the reference runs it like any other. Left
/// out are the statements above the level, with their blocks (of guards and of Trys only what opens and closes them),
/// calls and tensors of other ops and dtypes, what uses a variable that nothing binds any more, and what raises outside
/// of a Try. `requires_grad=True` goes below the level `autograd`. Readings become snapshots. Without a call, or with
/// one that the reference cannot execute, only a snapshot is left. A manifest that cuts nothing leaves the script as it
/// is.
Slice slice(const reference::Judge& judge, const Script& script, const Manifest& manifest);

/// Leaves one snapshot of several in a row.
void join_snapshots(Script& script);

/// The verdict `unsupported`, if nothing is left of a program that may have been cut.
std::optional<Comparison> nothing_left(const Script& script, const Description& implementation);

}  // namespace plumbline
