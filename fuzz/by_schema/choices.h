// Arguments that ops by schema are known to take: what programs call such ops with.
#pragma once

#include <string>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::fuzz {

/// One choice of arguments for an op by schema.
struct SchemaChoice {
  OpId op;
  std::vector<MakeTensor> tensors;  ///< their slots mean nothing
  std::vector<Value> arguments;     ///< as in a Call; a Slot is an index into `tensors`
};

/// Reads choices, one line of JSON for each, as fuzz/by_schema/arguments.py writes them. Throws std::runtime_error that
/// names the line for a malformed one, and for an op that by_schema.yaml does not have.
std::vector<SchemaChoice> schema_choices_from(const std::string& lines, const std::string& file);

/// The choices of fuzz/by_schema/arguments.jsonl for ops of this kind, in the order of the file.
const std::vector<SchemaChoice>& schema_choices(OpKind kind);

}  // namespace plumbline::fuzz
