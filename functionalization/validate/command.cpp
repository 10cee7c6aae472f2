// `plumbline validate`: validates random bodies, or every chain of views, and prints the findings.
#include "functionalization/validate/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "adapters/reference/reference.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/workers.h"

namespace plumbline::validate {
namespace {

/// Every few seconds, how many bodies are done.
class Told {
 public:
  explicit Told(bool quiet) : quiet_(quiet) {}

  /// From any thread: this many more bodies.
  void add(std::uint64_t bodies) {
    const std::lock_guard lock(mutex_);
    bodies_ += bodies;
    if (quiet_ || std::chrono::steady_clock::now() - told_ < std::chrono::seconds(5)) return;
    told_ = std::chrono::steady_clock::now();
    fmt::print(stderr, "validate: {} bodies\n", bodies_);
  }

 private:
  bool quiet_;
  std::mutex mutex_;
  std::uint64_t bodies_ = 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

/// Splits random bodies among workers: each takes the body numbers with its own remainder.
Report run_in_jobs(const CommandOptions& options) {
  Told told(options.quiet);
  if (options.exhaustive)
    return run_exhaustive(options.run, options.length, options.jobs, [&](const Report& more) {
      told.add(more.programs + more.without_form);
      return cli::interrupted();
    });
  std::vector<Report> reports(options.jobs);
  cli::share_work(options.jobs, {.jobs = options.jobs}, [&](std::size_t job) {
    Options mine = options.run;
    mine.first = job;
    mine.every = options.jobs;
    std::uint64_t before = 0;
    reports[job] = run_random(mine, [&](const Report& report) {
      const std::uint64_t bodies = report.programs + report.without_form;
      told.add(bodies - std::exchange(before, bodies));
      return cli::interrupted();
    });
  });
  Report report;
  for (Report& one : reports) add(report, std::move(one));
  std::ranges::sort(report.findings, {}, &Finding::body);
  return report;
}

nlohmann::ordered_json json_of(const CommandOptions& options, const Report& report) {
  nlohmann::ordered_json json{{"command", "validate"},
                              {"exhaustive", options.exhaustive},
                              {"seed", options.run.seed},
                              {"programs", report.programs},
                              {"passes", nlohmann::ordered_json::array()},
                              {"forms", report.forms},
                              {"steps", report.steps},
                              {"different_terms", report.asked},
                              {"equal_by_z3", report.equal},
                              {"without_form", report.without_form},
                              {"reasons", report.reasons},
                              {"seconds", report.seconds},
                              {"interrupted", report.interrupted},
                              {"findings", nlohmann::ordered_json::array()}};
  for (const passes::Passes form : passes::kPasses)
    if (options.run.form.value_or(form) == form) json["passes"].push_back(name_of(form));
  for (const Finding& finding : report.findings)
    json["findings"].push_back({{"body", finding.body},
                                {"pass", name_of(finding.passes)},
                                {"difference", finding.difference},
                                {"program", finding.program}});
  return json;
}

}  // namespace

int validate_command(CommandOptions options) {
  if (!options.flip.empty()) options.run.flipped = rule_or_throw(options.flip);
  if (!options.json.empty() && options.json != "-") write_file(options.json, "");  // fails before the work
  cli::catch_interrupt();
  const Report report = run_in_jobs(options);
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  for (const Finding& finding : report.findings)
    fmt::print(out, "body {}, pass {}: {}\n{}\n", finding.body, name_of(finding.passes), finding.difference,
               finding.program);
  if (!options.quiet) {
    for (const auto& [why, count] : report.reasons) fmt::print(out, "no functional form: {} bodies ({})\n", count, why);
    fmt::print(out, "{} pairs of terms differed; Z3 proved {} of them equal\n", report.asked, report.equal);
  }
  const auto ratio = [](std::uint64_t part, double of) { return of == 0 ? 0.0 : static_cast<double>(part) / of; };
  const double core_seconds = report.seconds * options.jobs;
  fmt::print(out,
             "{}{} bodies ({:.1f} steps each), {} functionalized programs validated for all values in {:.1f} s ({:.0f} "
             "bodies, {:.0f} programs per second and core); {} differ\n",
             report.interrupted ? "interrupted: " : "", report.programs,
             ratio(report.steps, static_cast<double>(report.programs)), report.forms, report.seconds,
             ratio(report.programs, core_seconds), ratio(report.forms, core_seconds), report.findings.size());
  const std::string text = json_of(options, report).dump(1) + "\n";
  if (options.json == "-") fmt::print("{}", text);
  if (!options.json.empty() && options.json != "-") write_file(options.json, text);
  if (!report.findings.empty()) return kExitDivergent;
  if (report.interrupted) return kExitInterrupted;
  return report.programs == 0 ? kExitNothing : 0;
}

}  // namespace plumbline::validate
