// `plumbline explain`: a program on the reference, statement by statement, with the rules that decided.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "adapters/reference/reference.h"
#include "cli/commands.h"
#include "cli/programs.h"
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

/// "test_views.py::test_name", as waivers have it.
std::string key_of(const LoadedTest& loaded) {
  return fmt::format("{}::{}", loaded.file.substr(loaded.file.rfind('/') + 1), loaded.test.name);
}

void count(const Explained& explained, Tally& tally) {
  tally.add(explained.explanation.limit.empty() ? explained.expectations.verdict : Verdict::unknown);
  for (const Held& held : explained.held) {
    if (held.explained())
      ++tally.waived;
    else
      tally.add(held.comparison.verdict);
  }
}

}  // namespace

int explain_command(const ExplainOptions& options) {
  const Profile profile = profile_or_throw(options.profile);
  Waivers waivers(load_waivers(options.corpus + "/waivers.json", today()));
  std::vector<std::unique_ptr<Adapter>> adapters;
  std::vector<std::string> names;
  for (const std::string& name : adapter_names(options.on)) {
    if (name == "reference") continue;  // the explanation already shows it
    names.push_back(name);
    adapters.push_back(make_adapter(name, {}));
  }
  const LoadedPrograms loaded = load_programs({options.program});
  const Show show{options.all, options.line};
  Tally tally;
  nlohmann::ordered_json json{
      {"command", "explain"}, {"profile", options.profile}, {"tests", nlohmann::ordered_json::array()}};
  bool has_line = options.line == 0;
  for (const LoadedTest& test : loaded.tests) {
    Explained explained{test.file, test.test.name, test.test.line, test.test.script, lines_of(test.file), {}, {}, {}};
    const auto is_here = [&](const Statement& s) { return s.line == options.line; };
    if (options.line != 0 && std::ranges::none_of(explained.script.statements, is_here)) continue;
    has_line = true;
    explained.script.statements.push_back({Snapshot{}, 0});
    explained.explanation = explain::explain(explained.script, profile);
    ReferenceAdapter reference(profile);
    explained.expectations =
        check_expectations(test.test, RunResult(explained.explanation.trace), reference.describe());
    for (std::size_t i = 0; i < adapters.size(); ++i)
      explained.held.push_back(hold(explained.script, key_of(test), names[i], *adapters[i], profile, waivers));
    count(explained, tally);
    if (!options.json.empty()) json["tests"].push_back(explain::json(explained, show));
    if (options.json != "-") fmt::print("{}\n", explain::text(explained, show));
  }
  for (const Problem& problem : loaded.problems) fmt::print(stderr, "{}", problem_text(problem));
  if (!has_line && loaded.problems.empty())
    throw std::runtime_error(fmt::format("--line {}: {} has no statement there; give a line of a test's body",
                                         options.line, options.program));
  print_result("", json.dump(2) + "\n", options.json);
  fmt::print(options.json == "-" ? stderr : stdout, "{}\n", tally.line());
  return loaded.problems.empty() ? tally.exit_code(false) : kExitUsage;
}

}  // namespace plumbline::cli
