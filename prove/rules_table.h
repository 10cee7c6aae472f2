// The table of rules as data: a cell for each rule and column, the reasons of empty cells, and the table's problems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prove/rules_facts.h"
#include "prove/rules_measured.h"

namespace plumbline::prove {

struct RulesCell {
  std::string text;                   ///< may be empty
  std::optional<std::size_t> reason;  ///< for an empty cell: an index into RulesTable::reasons
};

struct RulesRow {
  const Rule* rule = nullptr;
  std::vector<RulesCell> cells;      ///< one for each column
  std::optional<Unproved> unproved;  ///< why no obligation asks the rule
};

struct RulesTable {
  std::vector<std::string> columns;  ///< kFixedColumns, the profiles, the implementations
  std::vector<RulesRow> rows;        ///< in the order of the facts
  std::vector<std::string> reasons;  ///< without duplicates, in the order of the rows
  /// A line each, with file, rule and column: an empty cell without a reason, an unnecessary reason, a reason that
  /// names something unknown, a measurement that is out of date.
  std::vector<std::string> problems;
};

/// The columns before the profiles.
inline constexpr std::array<std::string_view, 5> kFixedColumns{"obligations", "vacuity", "mutants", "programs", "hits"};

RulesTable rules_table(const Facts& facts, const Measured& measured);

}  // namespace plumbline::prove
