// `plumbline explain`: a program on the reference, statement by statement, with the rules that decided.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "adapters/exhibit.h"
#include "adapters/reference/reference.h"
#include "cli/commands.h"
#include "cli/programs.h"
#include "cli/runner.h"
#include "oracle/explain/exhibit.h"
#include "oracle/explain/show.h"
#include "oracle/report/text.h"
#include "support/files.h"

namespace plumbline::cli {

namespace {

using namespace explain;

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The tests of the programs; with `--line`, only those with a statement there.
std::vector<LoadedTest> wanted(const LoadedPrograms& loaded, int line) {
  std::vector<LoadedTest> tests;
  for (const LoadedTest& test : loaded.tests)
    if (line == 0 ||
        std::ranges::any_of(test.test.script.statements, [&](const Statement& s) { return s.line == line; }))
      tests.push_back(test);
  return tests;
}

/// What `plumbline run` says on the reference and on these implementations.
RunReport run_of(const std::vector<LoadedTest>& tests, const std::vector<std::string>& names,
                 const ExplainOptions& options, Waivers& waivers) {
  Plan plan;
  plan.on = {"reference"};
  plan.on.insert(plan.on.end(), names.begin(), names.end());
  plan.options.profile = options.profile.empty() ? "sound" : options.profile;
  plan.compare_profile = options.profile;
  plan.quiet = true;
  RunReport report = run_tests(tests, plan);
  apply_waivers(report, waivers, false);
  return report;
}

/// Explains one test. `results`: of the run, for the reference and each implementation.
Explained explained(const LoadedTest& test, Profile profile, const TestResult* results,
                    const std::vector<std::string>& names, const std::vector<std::unique_ptr<Adapter>>& adapters,
                    Waivers& waivers) {
  Explained all{test.file, test.test.name, test.test.line, test.test.script, lines_of(test.file), {}, {}, {}};
  all.script.statements.push_back({Snapshot{}, 0});
  all.explanation = explain::explain(all.script, profile);
  all.expectations =
      check_expectations(test.test, RunResult(all.explanation.trace), ReferenceAdapter(profile).describe());
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    const TestResult& result = results[i + 1];
    Held held = hold(all.script, result.key(), names[i], *adapters[i], profile, waivers);
    held.verdict = result.verdict_name();
    held.message = result.message;
    all.held.push_back(std::move(held));
  }
  return all;
}

/// The first difference that no variant of the implementation's profile explains; null: there is none.
const Departure* to_show(const Held& held) {
  for (const Departure& departure : held.departures)
    if (departure.rules.empty() && !departure.by_profile) return &departure;
  return nullptr;
}

/// Prints what an implementation shows of its first difference, and writes its file where it is asked for.
void print_exhibit(const Explained& one, const Held& held, Adapter& adapter, const std::string& file) {
  const Departure* departure = to_show(held);
  if (departure == nullptr) return;
  const Difference& difference = departure->difference;
  std::string found = found_text(
      difference, fmt::format("{} {}", held.description.name, held.description.version),
      departure->waiver ? departure->waiver->rules : rules_at(one.script, one.explanation.profile, difference));
  found += fmt::format("Program: {}::{}\n", one.file, one.test);
  const auto exhibit = show(adapter, one.script, difference.statement, found);
  if (!exhibit) return;
  fmt::print("{} at {}:\n\n{}", held.name, difference.what, sections_text(*exhibit));
  if (!file.empty() && !exhibit->file.empty()) write_file(file, exhibit->file);
  fmt::print("{}\n\n", file_text(*exhibit, file.empty() ? "the program as a file (--file OUT.py)" : file));
}

}  // namespace

int explain_command(const ExplainOptions& options) {
  const Profile profile = profile_or_throw(options.profile.empty() ? "sound" : options.profile);
  Waivers waivers(load_waivers_or("", options.corpus, today()));
  LoadedPrograms loaded = load_programs({options.program}, Unreadable::record);
  std::vector<std::unique_ptr<Adapter>> adapters;
  std::vector<std::string> names;
  for (const std::string& name : adapter_names(options.on)) {
    if (name == "reference") continue;  // the explanation already shows it
    names.push_back(name);
    adapters.push_back(make_adapter(name, {}));
  }
  const std::vector<LoadedTest> tests = wanted(loaded, options.line);
  if (options.line != 0 && tests.empty() && loaded.problems.empty() && loaded.unread.empty())
    throw std::runtime_error(fmt::format("--line {}: {} has no statement there; give a line of a test's body",
                                         options.line, options.program));
  if (!options.file.empty() && (tests.size() != 1 || names.size() != 1))
    throw std::runtime_error("--file is for one test and one implementation: FILE::TEST --on NAME --file OUT.py");
  RunReport report = run_of(tests, names, options, waivers);
  report.problems = std::move(loaded.problems);
  for (const UnreadTest& test : loaded.unread) report.problems.push_back(test.problem);
  const Show show{options.all, options.line};
  nlohmann::ordered_json json{
      {"command", "explain"}, {"profile", name_of(profile)}, {"tests", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const TestResult* results = report.results.data() + i * report.implementations.size();
    const Explained one = explained(tests[i], profile, results, names, adapters, waivers);
    if (!options.json.empty()) json["tests"].push_back(explain::json(one, show));
    if (options.json == "-") continue;
    fmt::print("{}\n", explain::text(one, show));
    for (std::size_t a = 0; a < adapters.size(); ++a) print_exhibit(one, one.held[a], *adapters[a], options.file);
  }
  for (const Problem& problem : report.problems) fmt::print(stderr, "{}", problem_text(problem));
  print_result("", json.dump(2) + "\n", options.json);
  fmt::print(options.json == "-" ? stderr : stdout, "{}\n",
             report.results.empty() ? "nothing ran" : report.tally().line());
  return report.exit_code();
}

}  // namespace plumbline::cli
