// The table rule × implementation.
#pragma once

#include <string>
#include <vector>

#include "oracle/report/report.h"

namespace plumbline {

/// The verdicts of the programs that name one rule, on one implementation.
struct Cell {
  std::size_t passed = 0, unspecified = 0, waived = 0, divergent = 0, other = 0;
};

struct Row {
  std::string rule;
  std::size_t programs = 0;  ///< that name it
  std::vector<Cell> cells;   ///< one for each implementation
};

/// A row for every rule of the catalogue, in its order.
std::vector<Row> rule_table(const RunReport& report);

/// The table as text, with a legend.
std::string table_text(const RunReport& report);

}  // namespace plumbline
