// Running programs about the dispatcher.
#include "cli/dispatch_run.h"

#include <fmt/format.h>

#include <utility>

#include "oracle/dispatcher/fate.h"

namespace plumbline::cli {

namespace {

void judge(TestResult& result, dispatcher::Fate fate, Profile profile) {
  result.ran = true;
  result.message = std::move(fate.why);
  if (fate.verdict == "unsupported") result.verdict = Verdict::unsupported;
  if (!fate.difference) return;
  result.verdict = Verdict::divergent;
  result.waived = fate.verdict == "departs";
  Finding finding;
  finding.against = result.waived ? fmt::format("the program's expectations, as profile {} says", name_of(profile))
                                  : fmt::format("the reference ({})", name_of(profile));
  const std::string op(fate.difference->what);
  finding.occurrence = {op, {"about_the_dispatcher"}, fate.difference->signature};
  finding.difference = std::move(*fate.difference);
  result.findings.push_back(std::move(finding));
}

}  // namespace

std::vector<std::vector<DispatchResult>> run_dispatch_tests(RunReport& report,
                                                            const std::vector<LoadedDispatchTest>& tests,
                                                            const AdapterOptions& options) {
  std::vector<std::vector<DispatchResult>> all;
  if (tests.empty()) return all;
  const std::size_t first = report.results.size();
  const std::size_t width = report.implementations.size();
  std::vector<DispatchScript> scripts;
  for (const auto& [file, test] : tests) {
    TestResult result;
    result.file = file;
    result.test = test.name;
    result.line = test.line;
    result.rules = test.rules;
    report.add_for_each_implementation(std::move(result));
    scripts.push_back(test.script);
  }
  for (std::size_t i = 0; i < width; ++i) {
    const dispatcher::ProfiledRunner runner = dispatcher::runner_of(report.implementations[i].name, options);
    const auto& ran = all.emplace_back(runner.run(scripts));
    for (std::size_t t = 0; t < tests.size(); ++t)
      judge(report.results[first + t * width + i], dispatcher::fate_of(tests[t].test, ran[t], {runner.profile}),
            runner.profile);
  }
  return all;
}

}  // namespace plumbline::cli
