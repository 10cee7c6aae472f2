// `plumbline table transforms`: for each scope in each scope, and each three transforms, a program and who runs it
// right.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/programs.h"
#include "cli/runner.h"
#include "oracle/report/text.h"
#include "support/files.h"
#include "tables/transforms.h"

namespace plumbline::cli {

namespace {

using namespace tables;
using nlohmann::ordered_json;

/// What one implementation did with the programs of a cell.
struct Score {
  std::size_t passed = 0, waived = 0, divergent = 0, other = 0;

  void add(const TestResult& result) {
    if (result.waived)
      ++waived;
    else if (result.verdict == Verdict::pass)
      ++passed;
    else if (result.verdict == Verdict::divergent || result.verdict == Verdict::harness_error)
      ++divergent;
    else
      ++other;
  }
  std::size_t all() const { return passed + waived + divergent + other; }
  std::string text() const {
    std::string said = fmt::format("{} of {}", passed, all());
    if (waived > 0) said += fmt::format(", {} known to differ", waived);
    if (divergent > 0) said += fmt::format(", {} DIVERGENT", divergent);
    if (other > 0) said += fmt::format(", {} cannot run", other);
    return said;
  }
};

struct Cell {
  std::vector<std::size_t> programs;  ///< indices, the shortest first
  std::vector<Score> scores;          ///< by implementation
};

using Cells = std::map<Nesting, Cell>;

/// The programs with a scope in a scope, and which have which.
Cells cells_of(std::vector<LoadedTest>& tests) {
  std::erase_if(tests, [](const LoadedTest& test) { return nestings_of(test.test.script).empty(); });
  Cells cells;
  for (std::size_t i = 0; i < tests.size(); ++i)
    for (const Nesting& nesting : nestings_of(tests[i].test.script)) cells[nesting].programs.push_back(i);
  for (auto& [nesting, cell] : cells)
    std::ranges::sort(cell.programs, {},
                      [&](std::size_t i) { return std::pair(tests[i].test.script.statements.size(), i); });
  return cells;
}

void count(Cells& cells, const RunReport& report) {
  const std::size_t implementations = report.implementations.size();
  for (auto& [nesting, cell] : cells) {
    cell.scores.resize(implementations);
    for (const std::size_t program : cell.programs)
      for (std::size_t i = 0; i < implementations; ++i)
        cell.scores[i].add(report.results.at(program * implementations + i));
  }
}

ordered_json json_of(const Score& score) {
  return {{"passed", score.passed}, {"waived", score.waived}, {"divergent", score.divergent}, {"other", score.other}};
}

/// One cell, as text and as JSON.
struct Row {
  std::string text;
  ordered_json json;
};

Row without_programs(std::string_view why) {
  return {fmt::format("  {}\n", why.empty() ? "NO PROGRAM" : why), {{"not_specified", why}}};
}

Row with_programs(const Cell& cell, const LoadedTest& shortest, const RunReport& report) {
  const std::string program = fmt::format("{}::{}", shortest.file, shortest.test.name);
  Row row{fmt::format("  {}\n", program), {{"program", program}}};
  for (std::size_t i = 0; i < cell.scores.size(); ++i) {
    const std::string& name = report.implementations[i].name;
    row.text += fmt::format("  {:<24}{}\n", name, cell.scores[i].text());
    row.json["implementations"][name] = json_of(cell.scores[i]);
  }
  return row;
}

}  // namespace

int transforms_table(const TableOptions& options) {
  LoadedPrograms loaded =
      load_programs({options.corpus, options.corpus + "/functionalize", options.corpus + "/transforms"});
  Cells cells = cells_of(loaded.tests);
  Plan plan;
  plan.on = {"reference", "optimized"};
  for (const std::string& name : options.on)
    if (std::ranges::find(plan.on, name) == plan.on.end()) plan.on.push_back(name);
  plan.options.flip = options.flip;
  RunReport report = run_tests(loaded.tests, plan);
  Waivers waivers(load_waivers_or("", options.corpus, today()));
  apply_waivers(report, waivers, false);
  count(cells, report);
  std::string text =
      "Scopes in scopes: transforms, modes and custom functions, the outer one first; then each three transforms.\n\n";
  ordered_json json{{"table", "transforms"}, {"flip", options.flip}, {"cells", ordered_json::array()}};
  std::size_t missing = 0, divergent = 0;
  for (const Nesting& nesting : all_nestings()) {
    const auto found = cells.find(nesting);
    const bool some = found != cells.end();
    missing += !some && not_specified(nesting).empty() ? 1 : 0;
    if (some)
      for (const Score& score : found->second.scores) divergent += score.divergent;
    Row row = some ? with_programs(found->second, loaded.tests[found->second.programs.front()], report)
                   : without_programs(not_specified(nesting));
    text += fmt::format("{}\n{}", name_of(nesting), row.text);
    for (const Scope scope : nesting) row.json["scopes"].push_back(kScopeNames.at(static_cast<std::size_t>(scope)));
    json["cells"].push_back(std::move(row.json));
  }
  text += fmt::format("\n{} of {} nestings have programs, {} should and have none; {} programs\n", cells.size(),
                      all_nestings().size(), missing, loaded.tests.size());
  print_result(text, json.dump(2) + "\n", options.json);
  for (const Problem& problem : loaded.problems) fmt::print(stderr, "{}", problem_text(problem));
  if (!loaded.problems.empty()) return kExitUsage;
  return missing == 0 && divergent == 0 ? 0 : kExitDivergent;
}

}  // namespace plumbline::cli
