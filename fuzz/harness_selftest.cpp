// `plumbline selftest --harness` and `plumbline selftest --hostile`.
#include "fuzz/harness_selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>

#include "fuzz/report.h"
#include "mutation/faults.h"
#include "mutation/run.h"
#include "oracle/verdict.h"
#include "support/interrupt.h"
#include "support/siblings.h"

namespace plumbline::fuzz {

namespace {

/// What the faults of an area meet, the quickest first.
struct Area {
  std::string_view name;
  std::vector<std::string_view> subjects;
};
const std::array<Area, 6>& hostile_areas() {
  static const std::array<Area, 6> all{{{"optimized", {"optimized", "optimized-tests"}},
                                        {"reference", {"reference-tests", "reference", "reference-fuzzed"}},
                                        {"rules", {"reference-tests", "reference", "reference-fuzzed"}},
                                        {"comparison", {"harness"}},
                                        {"generator", {"harness", "generator-tests"}},
                                        {"proofs", {"proofs-tests", "proofs"}}}};
  return all;
}
constexpr std::array<std::string_view, 9> kSubjects{"optimized",       "optimized-tests",  "reference-tests",
                                                    "reference",       "reference-fuzzed", "harness",
                                                    "generator-tests", "proofs-tests",     "proofs"};
/// What a hostile reviewer plants now, and what one has planted before.
constexpr std::array<const char*, 2> kHostileLists{"hostile_faults.json", "known_faults.json"};
constexpr std::size_t kHostilePrograms = 4000;  ///< of each fuzzing

mutate::Options options_for(std::string_view what, const std::string& list, unsigned jobs) {
  mutate::Options mutate;
  mutate.what = what;
  mutate.source = PLUMBLINE_SOURCE;
  mutate.build = executable_folder().parent_path().string();
  mutate.ninja = PLUMBLINE_NINJA;
  mutate.faults = fmt::format("{}/mutation/{}", mutate.source, list);
  mutate.jobs = jobs;
  return mutate;
}

void print_caught_by(std::FILE* out, const mutate::Mutant& mutant) {
  const bool caught = mutant.outcome == mutate::Outcome::killed;
  fmt::print(out, "{:<36}{:<14}{}\n", mutant.site.change, mutant.site.function,
             caught                                        ? mutant.fate.step + ": " + mutant.fate.what
             : mutant.outcome == mutate::Outcome::survived ? "SURVIVED: " + mutant.site.text
                                                           : std::string(name_of(mutant.outcome)) + " " + mutant.why);
}

/// The lines of all that was planted; how many were caught.
std::size_t print_areas(std::FILE* out, const std::vector<mutate::Mutant>& mutants) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> areas;  // caught, planted
  fmt::print(out, "{:<36}{:<14}{}\n", "planted fault", "area", "caught by");
  for (const mutate::Mutant& mutant : mutants) {
    auto& [of_area, planted] = areas[mutant.site.function];
    of_area += mutant.outcome == mutate::Outcome::killed ? 1 : 0;
    ++planted;
    print_caught_by(out, mutant);
  }
  std::size_t caught = 0;
  for (const auto& [area, counts] : areas) {
    fmt::print(out, "{}: {} of {}\n", area, counts.first, counts.second);
    caught += counts.first;
  }
  return caught;
}

/// Adds what a subject made of some of the faults to what others made of them before.
void fold(mutate::Report& all, mutate::Report part) {
  for (mutate::Mutant& mutant : part.mutants) {
    const auto before = std::ranges::find(all.mutants, mutant.site.change, [](const auto& m) { return m.site.change; });
    if (before == all.mutants.end())
      all.mutants.push_back(std::move(mutant));
    else if (mutant.outcome != mutate::Outcome::not_run)
      *before = std::move(mutant);
  }
  for (auto list : {&mutate::Report::notes, &mutate::Report::stale, &mutate::Report::failed})
    (all.*list).insert((all.*list).end(), (part.*list).begin(), (part.*list).end());
  all.interrupted = all.interrupted || part.interrupted;
  all.seconds += part.seconds;
}

int finish(const mutate::Report& report, const std::string& command, const HarnessSelftestOptions& options,
           const std::string& where) {
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  const std::size_t caught = print_areas(out, report.mutants);
  for (const auto& list : {report.stale, report.failed})
    for (const std::string& line : list) fmt::print(out, "{}\n", line);
  nlohmann::ordered_json json = mutate::json_of(report);
  json["command"] = command;
  json["planted"] = report.mutants.size();
  json["caught"] = caught;
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out, "{} of {} faults planted in {} are caught{}\n", caught, report.wanted, where,
             report.interrupted ? "; interrupted" : "");
  return report.exit_code();
}

}  // namespace

int run_harness_selftest(const HarnessSelftestOptions& options) {
  cli::catch_interrupt();
  return finish(mutate::run(options_for("harness", "harness_faults.json", options.jobs)), "selftest --harness", options,
                "the harness");
}

namespace {

/// The faults of the list that the subject is to meet: those of its areas that nothing has caught yet.
std::vector<std::string> open_faults(const std::vector<mutate::NamedFault>& faults, std::string_view subject,
                                     const mutate::Report& so_far) {
  std::vector<std::string> names;
  for (const mutate::NamedFault& fault : faults) {
    const auto area = std::ranges::find(hostile_areas(), fault.area, &Area::name);
    if (area == hostile_areas().end() || std::ranges::find(area->subjects, subject) == area->subjects.end()) continue;
    const auto before = std::ranges::find(so_far.mutants, fault.name, [](const auto& m) { return m.site.change; });
    if (before == so_far.mutants.end() || before->outcome == mutate::Outcome::survived) names.push_back(fault.name);
  }
  return names;
}

}  // namespace

int run_hostile_selftest(const HarnessSelftestOptions& options) {
  cli::catch_interrupt();
  mutate::Report all;
  all.least = 1;
  for (const char* list : kHostileLists) {
    const auto faults = mutate::load_faults(fmt::format("{}/mutation/{}", PLUMBLINE_SOURCE, list));
    all.wanted += faults.size();
    for (const std::string_view subject : kSubjects) {
      mutate::Options mutate = options_for(subject, list, options.jobs);
      mutate.programs = kHostilePrograms;
      mutate.names = open_faults(faults, subject, all);
      if (mutate.names.empty() || cli::interrupted()) continue;
      fmt::print(stderr, "{}: {} faults\n", subject, mutate.names.size());
      fold(all, mutate::run(mutate));
    }
  }
  all.sites = all.wanted;
  return finish(all, "selftest --hostile", options, "the project by a hostile reviewer");
}

}  // namespace plumbline::fuzz
