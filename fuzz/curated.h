// The curated programs, as the self-test runs them on an implementation.
#pragma once

#include "adapters/adapter.h"
#include "language/curated.h"
#include "reference/state.h"

namespace plumbline::fuzz {

/// Whether a test fails on an implementation: by its own asserts, or at its end against the reference.
bool is_red(const program::Test& test, Adapter& adapter, const reference::Judge& expected);

}  // namespace plumbline::fuzz
