// The table of rules as data: a cell for each rule and column, the reasons of empty ones, and what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/prove/rules_facts.h"
#include "oracle/prove/rules_measured.h"

namespace plumbline::prove {

struct RulesCell {
  std::string text;                   ///< empty: there is nothing
  std::optional<std::size_t> reason;  ///< of an empty one, into RulesTable::reasons
};

struct RulesRow {
  const Rule* rule = nullptr;
  std::vector<RulesCell> cells;  ///< one for each column
};

struct RulesTable {
  std::vector<std::string> columns;  ///< kFixedColumns, the profiles, the implementations
  std::vector<RulesRow> rows;        ///< in the order of the facts
  std::vector<std::string> reasons;  ///< each once, in the order in which the rows need them
  /// A line each, with file, rule and column: an empty cell without a reason, a reason that nothing needs or that names
  /// what there is not, a measurement that is older than what it measures.
  std::vector<std::string> problems;
};

/// The columns before the profiles.
inline constexpr std::array<std::string_view, 5> kFixedColumns{"obligations", "vacuity", "mutants", "programs", "hits"};

RulesTable rules_table(const Facts& facts, const Measured& measured);

}  // namespace plumbline::prove
