// A finding as a Python file that needs PyTorch and nothing else.
#pragma once

#include <string>

#include "sweep/sweep.h"

namespace plumbline::sweep {

/// The text of a file that makes the call, and fails with an AssertionError where the law is broken; for a crash, it
/// only makes the call. `twin`: the functional operator; OP-13 needs it. `version`: of the implementation that was
/// swept.
std::string plain_file(const Operator& op, const Operator* twin, const Finding& finding, const std::string& version);

/// "OP-04-aten-kron-out-what-is-written-keeps-it.py".
std::string file_name(const Finding& finding);

}  // namespace plumbline::sweep
