// `plumbline check`: the curated programs on the reference, the optimized runtime and every LibTorch that is built.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <set>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/programs.h"
#include "cli/quiet.h"
#include "cli/runner.h"
#include "oracle/report/json.h"
#include "oracle/report/severity.h"
#include "oracle/report/summary.h"
#include "oracle/report/table.h"
#include "oracle/report/text.h"
#include "spec/vocabulary/profile.h"
#include "support/progress.h"
#include "support/report_files.h"
#include "support/sibling.h"
#include "support/siblings.h"
#include "support/terminal.h"

namespace plumbline::cli {

namespace {

constexpr const char* kFuzz = "plumbline-fuzz";
constexpr const char* kDispatcher = "plumbline-dispatcher";
constexpr const char* kFunctionalize = "plumbline-functionalize";
constexpr const char* kBodies = "2000";  ///< to validate each misread rule of functionalization on
constexpr std::string_view kNewest = "torch-2.13";
constexpr std::size_t kLines = kScreenLines - 4;        ///< the set-up of ./check stands above them
constexpr std::string_view kRuleEnds = "\n  breaks: ";  ///< a line that `plumbline variants` prints for each rule

/// What `check` prints: everything, or what fits one screen. All of it goes into the report's files.
class Told {
 public:
  Told(Output& output, bool whole) : output_(output), whole_(whole) {}
  bool whole() const { return whole_; }
  const std::string& text() const { return text_; }
  void add(std::string_view part) {
    text_ += part;
    if (whole_) output_.text(part);
  }

 private:
  Output& output_;
  bool whole_;
  std::string text_;
};

/// Runs a sibling and takes its output as it comes; if it cannot be started, the text says why.
Appendix section(std::string title, const char* sibling, const std::vector<std::string>& arguments, Told& told,
                 const std::function<void(std::string_view)>& watch = {}) {
  Appendix appendix{std::move(title), "", 0, ""};
  told.add(fmt::format("\n{}\n\n", appendix.title));
  try {
    appendix.exit_code = run_sibling(sibling, arguments, [&](std::string_view text) {
      appendix.text += text;
      told.add(text);
      if (watch) watch(appendix.text);
    });
  } catch (const std::runtime_error& error) {
    appendix.text = fmt::format("{}\n", error.what());
    appendix.exit_code = kExitHarness;
    told.add(appendix.text);
  }
  return appendix;
}

/// Where a released PyTorch's profile differs from sound. `on`: the LibTorch to confirm it on; empty: do not confirm.
Appendix variants(const CommonOptions& options, const std::string& profile, const std::string& on, Told& told) {
  std::vector<std::string> arguments{"variants", "--profile", profile, "--jobs", std::to_string(options.jobs)};
  if (!on.empty()) arguments.insert(arguments.end(), {"--on", on});
  const std::string title = fmt::format("Where {} differs from sound", profile);
  Appendix appendix;
  if (told.whole()) {
    appendix = section(title, kFuzz, arguments, told);
  } else {  // one bar for all rules, in place of one for each
    arguments.emplace_back("--no-progress");
    std::size_t rules = 0;
    for (const auto& some : departures_of(profile_named(profile).value_or(Profile::sound))) rules += some.size();
    Progress progress(options.quiet ? "" : fmt::format("shortest programs, {}", profile), rules);
    std::size_t shown = 0, from = 0;
    appendix = section(title, kFuzz, arguments, told, [&](std::string_view text) {
      for (std::size_t at = text.find(kRuleEnds, from); at != std::string_view::npos; at = text.find(kRuleEnds, from)) {
        from = at + 1;
        if (++shown <= rules) progress.step();
      }
    });
  }
  appendix.profile = profile;
  return appendix;
}

/// One section for the profile of each LibTorch that ran; if no LibTorch ran, one for the newest release.
void add_variants_of_each(const CommonOptions& options, RunReport& report, Told& told) {
  std::set<std::string> shown{std::string(name_of(Profile::sound))};
  for (const Implementation& one : report.implementations)
    if (one.name != "reference" && shown.insert(one.description.profile).second)
      report.appendices.push_back(variants(options, one.description.profile, one.name, told));
  if (report.appendices.empty()) report.appendices.push_back(variants(options, std::string(kNewest), "", told));
}

/// The sections that siblings make.
void add_appendices(const CommonOptions& options, RunReport& report, Told& told) {
  add_variants_of_each(options, report, told);
  if (!libtorch_versions(executable_folder()).empty())
    report.appendices.push_back(section("The dispatcher's tables (DSP)", kDispatcher, {"dispatch-tables"}, told));
  const std::string bodies = options.corpus + "/functionalize";
  if (std::filesystem::exists(bodies))
    report.appendices.push_back(section("Functionalization (FUN)", kFunctionalize,
                                        {"validate", "--rules", "--programs", kBodies, "--corpus", bodies}, told));
}

/// Runs the curated programs.
RunReport run_curated(const CommonOptions& options) {
  Waivers waivers(load_waivers_or(options.waivers, options.corpus, today()));
  std::vector<std::string> folders{options.corpus};
  for (const char* more : {"/dispatcher", "/transforms"})
    if (const std::string folder = options.corpus + more; std::filesystem::exists(folder)) folders.push_back(folder);
  LoadedPrograms programs = load_programs(folders);
  Plan plan;
  plan.on = implementations_in(executable_folder());
  plan.on.insert(plan.on.begin(), "reference");
  plan.options.timeout_s = options.timeout_s;
  plan.options.memory_limit_mib = options.memory_limit_mib;
  plan.jobs = options.jobs;
  plan.quiet = options.quiet;
  RunReport report = run_tests(programs.tests, plan);
  report.command = "check";
  report.problems = std::move(programs.problems);
  report.require_all = options.require_all;
  apply_waivers(report, waivers, true);
  return report;
}

/// Writes the report's files; if that fails, prints everything, so that it is not lost.
bool written(const ReportFiles& files, const RunReport& report, const std::string& text, Output& output) {
  try {
    files.write(text, report_json(report));
    return true;
  } catch (const std::exception& error) {
    output.text(text);
    fmt::print(stderr, "plumbline check: {}; give --report another folder. Everything was printed instead.\n",
               error.what());
    return false;
  }
}

}  // namespace

int check_command(const CheckOptions& check) {
  const CommonOptions& options = check.common;
  Output output(options.json);
  const ReportFiles files(check.report, "check", "--report");
  if (!files.problem().empty())
    fmt::print(stderr, "plumbline check: {}. Everything is printed instead.\n", files.problem());
  Told told(output, options.verbose || !files.problem().empty());
  const Screen screen = screen_of_stdout();
  RunReport report = run_curated(options);
  told.add(implementations_text(report));
  const std::string no_torch =
      libtorch_versions(executable_folder()).empty()
          ? "No LibTorch adapter is built here. Configure with -DPLUMBLINE_TORCH=DIR, or run ./check.\n"
          : "";
  told.add(no_torch);
  told.add(fmt::format("\n{}\n{}", table_text(report), results_text(report, options.verbose)));
  const std::string table = no_torch + family_table_text(report, screen);
  if (!told.whole() && !options.quiet) output.text(table);
  if (!report.interrupted) add_appendices(options, report, told);
  told.add("\n");
  const bool kept = !files.problem().empty() || written(files, report, told.text() + closing_text(report), output);
  if (options.quiet) {
    const int code = output.close(report, told.whole() ? closing_text(report) : quiet_text(report));
    return kept ? code : kExitHarness;
  }
  const std::size_t lines = kLines - std::min(kLines, screen.lines_of(table));
  const int code = output.close(
      report, told.whole() ? closing_text(report)
                           : summary_text(report, {screen, lines, "Every rule and program: " + files.where()}));
  return kept ? code : kExitHarness;
}

}  // namespace plumbline::cli
