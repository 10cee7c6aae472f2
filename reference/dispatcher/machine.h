// Runs dispatch scripts by the rules: libraries, kernels, guards, calls.
#pragma once

#include "reference/dispatcher/table.h"
#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::reference {

/// Runs every statement and traces its outcome; an error ends only its own statement. Throws ReferenceLimit if a call
/// would run code that the rules do not describe: a version's own fallback for a key of functorch, of Python, …
DispatchTrace run(const Judge& judge, const DispatchScript& script);

/// The same; if it throws ReferenceLimit, `limited` is set to the statement's number.
DispatchTrace run(const Judge& judge, const DispatchScript& script, std::size_t& limited);

}  // namespace plumbline::reference
