// Checks of one entry's columns against its schema.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "spec/opgen/table.h"

namespace plumbline::opgen {

/// What is wrong, what to do, and, where it is wrong in the schema, the offset there.
struct Problem {
  std::string problem;
  std::string advice;
  std::optional<std::size_t> offset;
};

/// Whether the schema has a shape that the table can hold at all: one tensor or one list of tensors as the result.
std::optional<Problem> check_schema(const Schema& schema);

/// Whether `kind` is what the schema's alias annotations say.
std::optional<Problem> check_kind(const Schema& schema, OpKind kind);

/// Whether `aliases` goes with `kind`.
std::optional<Problem> check_aliases(OpKind kind, Aliases aliases, bool unsafe);

/// Reads one item of `saves:`; the entry's other columns are known.
/// On success fills `saves` and returns nothing.
std::optional<Problem> read_saves(const Entry& entry, std::string_view item, Saves& saves);

}  // namespace plumbline::opgen
