// The test of a reproducer: the statements up to the point of difference, and the assertion there.
#pragma once

#include "fuzz/reproduce.h"
#include "language/lower.h"

namespace plumbline::fuzz {

/// Whether earlier readings are kept, as bare observations.
enum class Keep : std::uint8_t { nothing, history };

/// The test that states what the reference expects at the first difference of `held`, which has one. If that cannot be
/// asserted, the test only makes the reading.
program::Test reproducer_test(const Script& script, const Held& held, Keep keep);

/// The whole script as a test that expects the errors of `expected` and asserts nothing.
program::Test whole_test(const Script& script, const Trace& expected);

}  // namespace plumbline::fuzz
