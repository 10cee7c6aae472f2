// The table rule × implementation.
#pragma once

#include <string>
#include <vector>

#include "oracle/report/report.h"
#include "support/screen.h"

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

/// A row for each family of rules with the programs that name one of its rules; a program counts once in a row.
std::vector<Row> family_table(const RunReport& report);

/// The table of rules as text, with a legend.
std::string table_text(const RunReport& report);

/// The table of families as text, with a legend, no wider than the screen. If not all implementations fit, the last
/// line names those that are left out.
std::string family_table_text(const RunReport& report, const Screen& screen);

}  // namespace plumbline
