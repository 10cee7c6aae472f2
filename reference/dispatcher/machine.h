// Running dispatch scripts on the rules: libraries, kernels, guards, calls.
#pragma once

#include "reference/dispatcher/table.h"
#include "spec/dispatch_script.h"

namespace plumbline::reference {

/// Runs every statement; each outcome is one of the trace, and an error ends its statement alone.
/// Throws ReferenceLimit where a call would run what the rules do not say: a version's own fallback for a key of
/// functorch, of Python, …
DispatchTrace run(const Judge& judge, const DispatchScript& script);

/// The same, and where a ReferenceLimit is thrown the number of the statement that met it is put to `limited`.
DispatchTrace run(const Judge& judge, const DispatchScript& script, std::size_t& limited);

}  // namespace plumbline::reference
