// `plumbline table`: computes the tables that documents contain.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/programs.h"
#include "oracle/report/text.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "tables/coverage.h"
#include "tables/language.h"

namespace plumbline::cli {

namespace {

int coverage(const TableOptions& options) {
  const std::vector<tables::Sentence> sentences = tables::load_sentences(options.corpus + "/sentences.json");
  std::vector<std::string> folders{options.corpus};
  for (const std::string folder : {"/functionalize", "/transforms"})
    if (std::filesystem::is_directory(options.corpus + folder)) folders.push_back(options.corpus + folder);
  LoadedPrograms loaded = load_programs(folders);
  std::vector<CuratedTest> tests;
  for (LoadedTest& t : loaded.tests)
    tests.push_back({std::filesystem::relative(t.file, options.corpus).string(), std::move(t.test)});
  const std::vector<tables::Pair> pairs = tables::judge_pairs(tests, sentences, options.corpus);
  print_result(tables::coverage_markdown(tests, sentences, pairs), tables::coverage_json(tests, sentences, pairs),
               options.json);
  const std::vector<std::string> gaps = tables::coverage_problems(tests, sentences, pairs);
  for (const std::string& gap : gaps) fmt::print(stderr, "{}\n", gap);
  for (const Problem& problem : loaded.problems) fmt::print(stderr, "{}", problem_text(problem));
  return gaps.empty() && loaded.problems.empty() ? 0 : kExitUsage;
}

int language(const TableOptions& options) {
  const std::string text = tables::language_markdown();
  print_result(text, nlohmann::json{{"markdown", text}}.dump(1) + "\n", options.json);
  return 0;
}

struct Table {
  std::string_view name;
  int (*print)(const TableOptions&);
};

constexpr std::array kTables{
    Table{"inference-mode", behaviour_table},
    Table{"functionalize-inference-mode", functionalized_table},
    Table{"migration", migration_table},
    Table{"workload", workload_table},
    Table{"ideal", ideal_table},
    Table{"transforms", transforms_table},
    Table{"coverage", coverage},
    Table{"language", language},
};

}  // namespace

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const Table& table : kTables) names.emplace_back(table.name);
  return names;
}

int table_command(const TableOptions& options) {
  for (const Table& table : kTables)
    if (table.name == options.what) return table.print(options);
  throw std::runtime_error(fmt::format("unknown table '{}'. plumbline table --help lists the tables", options.what));
}

}  // namespace plumbline::cli
