// Writes the table as C++.
#pragma once

#include <string>

#include "spec/opgen/table.h"

namespace plumbline::opgen {

/// The text of spec/ops/op_ids.h: `enum class OpId` and `kOps`, the number of ops.
std::string op_ids_header(const Table& table);

/// The text of spec/op_table.cpp: the data of `op_table()`.
std::string op_table_source(const Table& table);

}  // namespace plumbline::opgen
