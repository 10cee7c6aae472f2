// Checks of one entry's columns against its schema.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "spec/opgen/table.h"

namespace plumbline::opgen {

/// What is wrong, what to do, and for an error in the schema its offset there.
struct Problem {
  std::string problem;
  std::string advice;
  std::optional<std::size_t> offset;
};

/// Whether the table supports the schema: its arguments, and one to eight tensors or one list of tensors as results.
std::optional<Problem> check_schema(const Schema& schema);

/// Whether `kind` agrees with the schema's alias annotations.
std::optional<Problem> check_kind(const Schema& schema, OpKind kind);

/// Whether `aliases` agrees with `kind`.
std::optional<Problem> check_aliases(OpKind kind, Aliases aliases, bool unsafe);

/// Reads one item of `saves:`; the entry's other columns have been read.
/// On success fills `saves` and returns nothing.
std::optional<Problem> read_saves(const Entry& entry, std::string_view item, Saves& saves);

}  // namespace plumbline::opgen
