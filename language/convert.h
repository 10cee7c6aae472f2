// Arguments: which values a schema's argument takes, and the default for one that is not given.
#pragma once

#include <optional>
#include <string_view>

#include "language/resolve.h"

namespace plumbline::program {

/// The given value in words: "a tensor".
std::string_view kind_of(const Actual& actual);
/// What the schema expects, in words: "a list of ints".
std::string_view wanted(const Argument& argument);
std::string_view wanted(SchemaValue::Kind kind);

/// The value that `argument` of `op` takes for the given value. Converts as Python does: an int for a float, one int
/// for a list of one int. Nothing if the argument does not accept the value.
std::optional<Value> convert(const Op& op, const Argument& argument, const Actual& actual);
/// The same for an argument of one of the program's own operators.
std::optional<Value> convert(SchemaValue::Kind kind, const Actual& actual);

}  // namespace plumbline::program
