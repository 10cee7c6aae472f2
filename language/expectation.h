// Comparing a reading with what an assert expects.
#pragma once

#include "language/lower.h"

namespace plumbline::program {

/// Whether `reading`, made by the expectation's statement, is as asserted. Compares as Python does: 1 == 1.0, and nan
/// equals nothing. `other` is the reading of `same_as_statement`, if the expectation has one. Results that
/// are not readings (unsupported, Failure, Unspecified) meet no expectation, so callers check for them first.
/// Elements of values that are not known are not compared; those that have a bound may be off by it.
bool meets(const Expectation& expectation, const Reading& reading, const Reading* other = nullptr);

}  // namespace plumbline::program
