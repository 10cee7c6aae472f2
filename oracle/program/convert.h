// Arguments: which values a schema's argument takes, and what stands in for one that is not given.
#pragma once

#include <optional>
#include <string_view>

#include "oracle/program/resolve.h"

namespace plumbline::program {

/// What is given, in words: "a tensor".
std::string_view kind_of(const Actual& actual);
/// What the schema wants, in words: "a list of ints".
std::string_view wanted(const Argument& argument);

/// The value that `argument` of `op` takes for what is given, as Python converts it: an int for a float, one int for a
/// list of one; nothing where it is refused.
std::optional<Value> convert(const Op& op, const Argument& argument, const Actual& actual);

}  // namespace plumbline::program
