// The table rule × implementation.
#include "oracle/report/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/rules/catalogue.h"

namespace plumbline {

namespace {

void count(Cell& cell, const TestResult& result) {
  if (!result.ran) return;
  if (result.waived)
    ++cell.waived;
  else if (result.verdict == Verdict::pass)
    ++cell.passed;
  else if (result.verdict == Verdict::unspecified)
    ++cell.unspecified;
  else if (result.verdict == Verdict::divergent)
    ++cell.divergent;
  else
    ++cell.other;
}

std::string cell_text(const Cell& cell) {
  std::string text;
  const auto add = [&](std::size_t n, std::string_view what) {
    if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
  };
  add(cell.passed, "pass");
  add(cell.unspecified, "free");
  add(cell.waived, "waived");
  add(cell.divergent, "FAIL");
  add(cell.other, "other");
  return text.empty() ? "-" : text;
}

}  // namespace

std::vector<Row> rule_table(const RunReport& report) {
  std::vector<Row> rows;
  for (const Rule* rule : kRules) {
    Row row{rule->id(), 0, std::vector<Cell>(report.implementations.size())};
    for (const TestResult& result : report.results) {
      if (std::ranges::find(result.rules, row.rule) == result.rules.end()) continue;
      if (result.implementation == 0) ++row.programs;
      count(row.cells.at(result.implementation), result);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string table_text(const RunReport& report) {
  std::vector<std::size_t> widths;
  const std::vector<Row> rows = rule_table(report);
  for (std::size_t i = 0; i < report.implementations.size(); ++i) {
    widths.push_back(report.implementations[i].name.size());
    for (const Row& row : rows) widths[i] = std::max(widths[i], cell_text(row.cells[i]).size());
  }
  std::string text = fmt::format("{:<8} {:>8}", "rule", "programs");
  for (std::size_t i = 0; i < widths.size(); ++i)
    text += fmt::format("  {:<{}}", report.implementations[i].name, widths[i]);
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
  for (const Row& row : rows) {
    text += fmt::format("{:<8} {:>8}", row.rule, row.programs);
    for (std::size_t i = 0; i < widths.size(); ++i) text += fmt::format("  {:<{}}", cell_text(row.cells[i]), widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text +
         "(Verdicts of the programs that name a rule. free: a value was not compared, because the specification does "
         "not "
         "define it.\n waived: a known divergence. FAIL: a new divergence. other: see below.)\n";
}

}  // namespace plumbline
