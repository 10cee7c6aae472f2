// A finding as a Python file that needs PyTorch, the module of the operators if there is one, and nothing else.
#pragma once

#include <string>

#include "sweep/plain_call.h"
#include "sweep/sweep.h"

namespace plumbline::sweep {

/// The operators that a file compares the call with; null: there is none.
struct PlainPeers {
  const Operator* twin = nullptr;  ///< the functional operator: for OP-13 and OP-16
  const Operator* view = nullptr;  ///< the one whose result the call copies: for OP-20
};

/// The text of a file that makes the call, and fails with an AssertionError where the law is broken; for a crash, it
/// only makes the call.
std::string plain_file(const Operator& op, const PlainPeers& peers, const Finding& finding, const PlainSource& source);

/// "OP-04-aten-kron-out-what-is-written-keeps-it.py".
std::string file_name(const Finding& finding);

}  // namespace plumbline::sweep
