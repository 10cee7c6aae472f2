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

/// A cell in few characters: "92", "3f", "2w", "1o", "1 NEW".
std::string short_text(const Cell& cell) {
  std::string text;
  const auto add = [&](std::size_t n, std::string_view what) {
    if (n > 0) text += fmt::format("{}{}{}", text.empty() ? "" : " ", n, what);
  };
  add(cell.passed, "");
  add(cell.unspecified, "f");
  add(cell.waived, "w");
  add(cell.other, "o");
  add(cell.divergent, " NEW");
  return text.empty() ? "-" : text;
}

bool names_one_of(const TestResult& result, std::string_view family) {
  return std::ranges::any_of(result.rules, [&](const std::string& rule) {
    return rule.starts_with(family) && rule.size() > family.size() && rule[family.size()] == '-';
  });
}

/// The columns that fit a screen beside the first two: as many as possible, from the left.
std::vector<std::size_t> widths_that_fit(const RunReport& report, const std::vector<Row>& rows, std::size_t room) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < report.implementations.size(); ++i) {
    std::size_t width = report.implementations[i].name.size();
    for (const Row& row : rows) width = std::max(width, short_text(row.cells[i]).size());
    if (width + 2 > room) break;
    room -= width + 2;
    widths.push_back(width);
  }
  return widths;
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

std::vector<Row> family_table(const RunReport& report) {
  std::vector<Row> rows;
  for (const std::string_view family : kFamilyNames) {
    if (family == kFamilyNames.at(static_cast<std::size_t>(Family::OP))) continue;  // no program names these
    Row row{std::string(family), 0, std::vector<Cell>(report.implementations.size())};
    for (const TestResult& result : report.results) {
      if (!names_one_of(result, family)) continue;
      if (result.implementation == 0) ++row.programs;
      count(row.cells.at(result.implementation), result);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string family_table_text(const RunReport& report, const Screen& screen) {
  constexpr std::size_t kFirst = 16;  ///< the width of the first two columns
  const std::vector<Row> rows = family_table(report);
  const std::vector<std::size_t> widths = widths_that_fit(report, rows, screen.width - std::min(screen.width, kFirst));
  std::string text;
  const auto add_line = [&](const std::string& first, const std::string& second, const auto& cell_of) {
    std::string line = fmt::format("{:<6}  {:>8}", first, second);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = cell_of(i);
      const bool fell = cell.ends_with(" NEW");
      line.append(2, ' ').append(fell ? screen.paint(Colour::red, cell) : cell);
      if (i + 1 < widths.size()) line.append(widths[i] - cell.size(), ' ');
    }
    text += line + "\n";
  };
  add_line("family", "programs", [&](std::size_t i) { return report.implementations[i].name; });
  for (const Row& row : rows)
    if (row.programs > 0)
      add_line(row.rule, fmt::format("{}", row.programs), [&](std::size_t i) { return short_text(row.cells[i]); });
  text += "(programs that pass; f: a value is free; w: waived, so known; o: other)\n";
  std::string hidden;
  for (std::size_t i = widths.size(); i < report.implementations.size(); ++i)
    hidden += fmt::format("{}{}", hidden.empty() ? "" : ", ", report.implementations[i].name);
  if (!hidden.empty())
    for (const std::string& line :
         wrapped(fmt::format("(too narrow for {})", hidden), std::max<std::size_t>(screen.width, 80), 2))
      text += line + "\n";
  return text;
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
