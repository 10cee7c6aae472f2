// `plumbline check`: the curated programs on the reference, the optimized runtime and every LibTorch that is built.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/programs.h"
#include "cli/runner.h"
#include "oracle/report/table.h"
#include "oracle/report/text.h"
#include "spec/vocabulary/profile.h"
#include "support/sibling.h"
#include "support/siblings.h"

namespace plumbline::cli {

namespace {

constexpr const char* kFuzz = "plumbline-fuzz";
constexpr const char* kDispatcher = "plumbline-dispatcher";
constexpr const char* kFunctionalize = "plumbline-functionalize";
constexpr const char* kBodies = "2000";  ///< to validate each misread rule of functionalization on
constexpr std::string_view kNewest = "torch-2.13";

/// Runs a sibling and passes its output on as it comes; if it cannot be started, the text says why.
Appendix section(std::string title, const char* sibling, const std::vector<std::string>& arguments, Output& output) {
  Appendix appendix{std::move(title), "", 0};
  output.text(fmt::format("\n{}\n\n", appendix.title));
  try {
    appendix.exit_code = run_sibling(sibling, arguments, [&](std::string_view text) {
      appendix.text += text;
      output.text(text);
    });
  } catch (const std::runtime_error& error) {
    appendix.text = fmt::format("{}\n", error.what());
    appendix.exit_code = kExitHarness;
    output.text(appendix.text);
  }
  return appendix;
}

/// Where a released PyTorch's profile differs from sound. `on`: the LibTorch to confirm it on; empty: do not confirm.
Appendix variants(const CommonOptions& options, const std::string& profile, const std::string& on, Output& output) {
  std::vector<std::string> arguments{"variants", "--profile", profile, "--jobs", std::to_string(options.jobs)};
  if (!on.empty()) arguments.insert(arguments.end(), {"--on", on});
  return section(fmt::format("Where {} differs from sound", profile), kFuzz, arguments, output);
}

/// One section for each LibTorch that ran; if no LibTorch ran, one for the newest release.
void add_variants_of_each(const CommonOptions& options, RunReport& report, Output& output) {
  for (const Implementation& one : report.implementations)
    if (one.name != "reference" && one.description.profile != name_of(Profile::sound))
      report.appendices.push_back(variants(options, one.description.profile, one.name, output));
  if (report.appendices.empty()) report.appendices.push_back(variants(options, std::string(kNewest), "", output));
}

}  // namespace

int check_command(const CommonOptions& options) {
  Output output(options.json);
  Waivers waivers(load_waivers(options.waivers, today()));
  LoadedPrograms programs = load_programs({options.corpus});
  Plan plan;
  plan.on = implementations_in(executable_folder());
  plan.on.insert(plan.on.begin(), "reference");
  plan.options.timeout_s = options.timeout_s;
  plan.options.memory_limit_mib = options.memory_limit_mib;
  plan.jobs = options.jobs;
  RunReport report = run_tests(programs.tests, plan);
  report.command = "check";
  report.problems = std::move(programs.problems);
  report.require_all = options.require_all;
  apply_waivers(report, waivers, true);
  output.text(implementations_text(report));
  if (libtorch_versions(executable_folder()).empty())
    output.text("No LibTorch adapter is built here. Configure with -DPLUMBLINE_TORCH=DIR, or run ./check.\n");
  output.text(fmt::format("\n{}\n{}", table_text(report), results_text(report, options.verbose)));
  if (!report.interrupted) add_variants_of_each(options, report, output);
  if (!report.interrupted && std::filesystem::exists(options.corpus + "/dispatcher"))
    report.appendices.push_back(
        section("The dispatcher", kDispatcher, {"dispatch-check", "--corpus", options.corpus + "/dispatcher"}, output));
  if (const std::string bodies = options.corpus + "/functionalize";
      !report.interrupted && std::filesystem::exists(bodies))
    report.appendices.push_back(section("Functionalization", kFunctionalize,
                                        {"validate", "--rules", "--programs", kBodies, "--corpus", bodies}, output));
  output.text("\n");
  return output.close(report);
}

}  // namespace plumbline::cli
