// The dispatcher's section of `plumbline check`: its curated programs, and LibTorch's tables.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "cli/dispatch_commands.h"
#include "oracle/dispatcher/compare_tables.h"
#include "oracle/dispatcher/fate.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "support/siblings.h"

namespace plumbline::cli {

namespace {

bool check_tables(const DumpSource& source, std::string& text) {
  const auto report = compare_tables(source, {profile_or_throw("torch-" + source.series)});
  text += fmt::format("{:<18} tables: {} operators × {} keys = {} entries, {} differ; {} constants, {} differ\n",
                      source.name, report.operators, report.keys, report.entries, report.entries_differ.size(),
                      report.constants, report.constants_differ.size());
  return report.agrees();
}

}  // namespace

int dispatch_check_command(const DispatchCheckOptions& options) {
  const auto programs = dispatcher::load_dispatch_programs(options.corpus);
  std::vector<std::string> names = options.on;
  if (names.empty()) {
    names = implementations_in(executable_folder());
    names.insert(names.begin(), "reference");
  }
  bool good = true;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  const auto print = [&](std::string&& text) {
    if (options.json != "-") fmt::print("{}", text);
    std::fflush(stdout);
  };
  for (const std::string& name : names) {
    std::map<std::string_view, std::size_t> counts;
    const dispatcher::ProfiledRunner runner = dispatcher::runner_of(name, {});
    std::vector<DispatchScript> scripts;
    for (const auto& one : programs) scripts.push_back(one.test.script);
    const std::vector<DispatchResult> ran = runner.run(scripts);
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const auto& [file, test] = programs[i];
      const dispatcher::Fate fate = dispatcher::fate_of(test, ran[i], {runner.profile});
      ++counts[fate.verdict];
      if (options.verbose || fate.verdict == "divergent")
        print(fmt::format("  {:<11} {}::{}{}{}\n", fate.verdict, file, test.name, fate.why.empty() ? "" : ": ",
                          fate.why));
      results.push_back({{"file", file}, {"test", test.name}, {"rules", test.rules}, {"on", name}});
      results.back()["verdict"] = fate.verdict;
      if (!fate.why.empty()) results.back()["message"] = fate.why;
    }
    print(fmt::format("{:<18} programs: {} of {} pass, {} differ as profile {} says, {} unsupported, {} divergent\n",
                      name, counts["pass"], programs.size(), counts["departs"], name_of(runner.profile),
                      counts["unsupported"], counts["divergent"]));
    good = good && counts["divergent"] == 0 && counts["pass"] > 0;
    if (!name.starts_with("libtorch")) continue;
    std::string text;
    good = check_tables(dump_source(name), text) && good;
    print(std::move(text));
  }
  print_result("", nlohmann::ordered_json{{"command", "dispatch-check"}, {"results", results}}.dump(1) + "\n",
               options.json);
  return good ? 0 : kExitDivergent;
}

}  // namespace plumbline::cli
