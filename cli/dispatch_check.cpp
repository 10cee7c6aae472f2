// The dispatcher's section of `plumbline check`: its curated programs, and LibTorch's tables.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "cli/dispatch_commands.h"
#include "oracle/dispatcher/check_programs.h"
#include "oracle/dispatcher/compare.h"
#include "oracle/dispatcher/runner.h"
#include "oracle/verdict.h"
#include "reference/raise.h"
#include "support/files.h"
#include "support/siblings.h"

namespace plumbline::cli {

namespace {

/// The result of one program: "pass"; "departs": it differs as the implementation's profile says; "unsupported": it
/// names keys that the version does not have, or reaches a limit of the reference; "divergent".
struct Fate {
  std::string_view verdict;
  std::string why;
};

/// `result`: what the implementation did, or how it broke down.
Fate fate_of(const dispatcher::CuratedDispatchTest& one, const DispatchResult& result, const reference::Judge& own) {
  const std::string key = dispatcher::key_out_of_reach(layout_of(own.profile), one.test.script);
  if (!key.empty()) return {"unsupported", key};
  DispatchTrace right;
  try {
    right = reference::run(own, one.test.script);
  } catch (const reference::ReferenceLimit& limit) {
    return {"unsupported", limit.what()};
  }
  if (const auto* broken = std::get_if<Breakdown>(&result)) return {"divergent", broken->message};
  const DispatchTrace& trace = std::get<DispatchTrace>(result);
  if (const auto differs = dispatcher::compare(one.test.script, right, trace)) return {"divergent", differs->message};
  const auto failures = dispatcher::failures(one.test, trace);
  if (!failures.empty()) return {"departs", failures.front()};
  return {"pass", ""};
}

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
    std::erase(names, kPython);  // it cannot show the dispatcher's kernels
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
      const Fate fate = fate_of(programs[i], ran[i], {runner.profile});
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
