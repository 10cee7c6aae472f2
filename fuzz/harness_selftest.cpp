// `plumbline selftest --harness`.
#include "fuzz/harness_selftest.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "fuzz/report.h"
#include "mutation/run.h"
#include "support/interrupt.h"
#include "support/siblings.h"

namespace plumbline::fuzz {

int run_harness_selftest(const HarnessSelftestOptions& options) {
  mutate::Options mutate;
  mutate.what = "harness";
  mutate.source = PLUMBLINE_SOURCE;
  mutate.build = executable_folder().parent_path().string();
  mutate.ninja = PLUMBLINE_NINJA;
  mutate.faults = mutate.source + "/mutation/harness_faults.json";
  mutate.jobs = options.jobs;
  cli::catch_interrupt();
  const mutate::Report report = mutate::run(mutate);

  std::FILE* const out = options.json == "-" ? stderr : stdout;
  std::map<std::string, std::pair<std::size_t, std::size_t>> areas;  // caught, planted
  fmt::print(out, "{:<36}{:<14}{}\n", "planted fault", "area", "caught by");
  for (const mutate::Mutant& mutant : report.mutants) {
    const bool caught = mutant.outcome == mutate::Outcome::killed;
    auto& [of_area, planted] = areas[mutant.site.function];
    of_area += caught ? 1 : 0;
    ++planted;
    fmt::print(out, "{:<36}{:<14}{}\n", mutant.site.change, mutant.site.function,
               caught                                        ? mutant.fate.what
               : mutant.outcome == mutate::Outcome::survived ? "SURVIVED: " + mutant.site.text
                                                             : std::string(name_of(mutant.outcome)) + " " + mutant.why);
  }
  for (const auto& list : {report.stale, report.failed})
    for (const std::string& line : list) fmt::print(out, "{}\n", line);
  std::size_t caught = 0;
  for (const auto& [area, counts] : areas) {
    fmt::print(out, "{}: {} of {}\n", area, counts.first, counts.second);
    caught += counts.first;
  }
  nlohmann::ordered_json json = mutate::json_of(report);
  json["command"] = "selftest --harness";
  json["planted"] = report.mutants.size();
  json["caught"] = caught;
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out, "{} of {} faults planted in the harness are caught by its own tests{}\n", caught, report.wanted,
             report.interrupted ? "; interrupted" : "");
  return report.exit_code();
}

}  // namespace plumbline::fuzz
