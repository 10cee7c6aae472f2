// A file beside a reproducer that fails under plain Python, where the implementation can write one.
#pragma once

#include <string>

#include "adapters/adapter.h"
#include "reference/machine.h"

namespace plumbline::fuzz {

/// Asks `adapter` to show a script that differs from the reference, and writes NAME.plain.py beside the reproducer
/// test_NAME.py. Returns a sentence that says what became of it; empty: the adapter shows nothing.
std::string write_plain_file(const std::string& reproducer, const Script& script, const reference::Judge& expected,
                             Adapter& adapter);

}  // namespace plumbline::fuzz
