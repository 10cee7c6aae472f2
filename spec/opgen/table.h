// Reads and checks ops.yaml and by_schema.yaml.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "spec/opgen/schema.h"
#include "spec/ops/ops.h"

namespace plumbline::opgen {

/// The names of OpKind's values, of those of Devices after `same`, and of those of Aliases, in their order.
inline constexpr std::array<std::string_view, 6> kKinds{"Factory", "Functional",  "View",
                                                        "Inplace", "InplaceView", "Out"};
inline constexpr std::array<std::string_view, 3> kDevices{"one_number", "numbers", "any"};
inline constexpr std::array<std::string_view, 6> kAliases{"never", "always", "may", "self", "argument", "out"};

/// An error in the table; lines and columns count from 1.
struct Diagnostic {
  int line = 0;
  int column = 0;
  std::string problem;
  std::string advice;

  /// "FILE:LINE:COL: what is wrong; what to do".
  std::string text(const std::string& file) const;
};

/// One entry of the table.
struct Entry {
  Schema schema;
  std::string text;  ///< the schema as written
  OpKind kind = OpKind::Functional;
  Aliases aliases = Aliases::never;
  bool composite = false;
  bool unsafe = false;
  Devices devices = Devices::same;
  std::uint8_t differentiable = 0xff;  ///< bit i: result i is recorded for backward
  bool method = false;
  bool function = true;
  std::vector<Saves> saves;
  bool by_schema = false;
  bool blas = false;
};

struct Table {
  std::vector<Entry> entries;           ///< in the order of the file; valid only if there are no diagnostics
  std::vector<Diagnostic> diagnostics;  ///< in the order of the file
};

/// Reads and checks a table.
Table read_table(const std::string& yaml);
/// Reads and checks a table of ops of which only the schema is known: its columns are `func`, `composite` and `blas`,
/// and the schema's annotations imply the rest. It may have no op of `whole`.
Table read_schemas(const std::string& yaml, const Table& whole);

/// An op's enumerator in OpId: "add__Tensor", "select_int", "mm".
std::string enumerator(const Schema& schema);

}  // namespace plumbline::opgen
