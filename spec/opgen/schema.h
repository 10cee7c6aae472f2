// A parser for operator schemas, as native_functions.yaml writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "spec/ops/ops.h"

namespace plumbline::opgen {

/// An error in a schema: what is wrong, where (an offset into its text, from 0), and what to do.
struct SchemaError : std::runtime_error {
  SchemaError(std::size_t offset, std::string problem, std::string advice);
  std::size_t offset;
  std::string problem;
  std::string advice;
};

/// `(a)`, `(a!)`, `(a -> *)`: what a tensor shares storage with, and whether it is written.
struct AliasSet {
  std::string name;       ///< "a"; empty: no annotation
  bool write = false;     ///< `!`
  bool wildcard = false;  ///< `-> *`: afterwards it is in a list
};

struct Type {
  ArgType type;
  bool optional = false;  ///< `?`
  bool sized = false;     ///< `int[2]`: one number may stand for the whole list
  AliasSet alias;
};

/// An argument, or a result. A result has no default, and usually no name.
struct Parameter {
  Type type;
  std::string name;
  bool keyword_only = false;
  std::optional<std::string> default_value;
  std::size_t offset = 0;  ///< its place in the schema
};

struct Schema {
  std::string name;      ///< "add_"
  std::string overload;  ///< "Tensor", or empty
  std::vector<Parameter> arguments;
  std::vector<Parameter> results;
  std::size_t results_offset = 0;
};

/// Parses `name.overload(Type name=default, *, …) -> Type`. Throws SchemaError.
Schema parse_schema(std::string_view text);

}  // namespace plumbline::opgen
