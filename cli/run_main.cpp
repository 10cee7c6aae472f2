// plumbline-run: the commands `run`, `check`, `list`, `table` and `explain`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <thread>

#include "adapters/adapter.h"
#include "cli/commands.h"
#include "oracle/verdict.h"
#include "support/interrupt.h"
#include "support/siblings.h"

namespace {

using namespace plumbline::cli;

void add_common(CLI::App& app, CommonOptions& options) {
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  options.corpus = PLUMBLINE_CORPUS;
  app.add_option("--json", options.json,
                 "write the report as JSON to this file; with -, to stdout instead of the text");
  app.add_option("--jobs", options.jobs, "number of workers; the report does not depend on it")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  app.add_option("--timeout", options.timeout_s,
                 "seconds for one program; a program that hangs is tried again with twice as many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option(
         "--memory-limit", options.memory_limit_mib,
         "MiB of memory for an adapter process and its descendants; a process that uses more is killed; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--corpus", options.corpus, "the folder of the curated programs")->capture_default_str();
  app.add_option("--waivers", options.waivers, "the file of known divergences (default: waivers.json in the corpus)");
  app.add_flag("--require-all", options.require_all, "exit with 1 unless every test passes");
  app.add_flag("-v,--verbose", options.verbose,
               "print everything, with a line for each test that passed (default: what fits one screen)");
}

void complete(CommonOptions& options) {
  if (options.waivers.empty()) options.waivers = options.corpus + "/waivers.json";
}

void complete(TableOptions& table) {
  if (table.on.empty()) {
    if (table.what == "functionalize-inference-mode") table.on.emplace_back("optimized");
    for (const std::string& version : plumbline::libtorch_versions(plumbline::executable_folder()))
      table.on.push_back("libtorch-" + version);
  } else {
    table.on = plumbline::adapter_names(table.on);
  }
  std::erase(table.on, "none");
}

constexpr const char* kExplainFooter =
    "A rule is printed at a statement if its misreading would show there. `above`: rules that were already shown "
    "above.\n`usual`: rules that every program without guards and gradients meets.\n"
    "`Autocast*` and `Autograd*` stand for all keys of that family.\n\n"
    "examples:\n"
    "  plumbline explain test_mine.py\n"
    "  plumbline explain test_mine.py::test_view --line 12 --all\n"
    "  plumbline explain test_mine.py --on libtorch-2.13.0 --profile sound\n"
    "  plumbline explain test_mine.py --json\n\n"
    "exit codes: 0 no difference, or every difference is explained by a waiver or a profile; 1 a difference that "
    "nothing explains;\n2 usage; 3 harness failure; 4 nothing ran; 5 unknown only\n";

constexpr const char* kRunFooter =
    "examples:\n"
    "  plumbline run test_mine.py --on reference,libtorch-2.13.0\n"
    "  plumbline run fuzz/corpus --on reference --flip INF-03\n"
    "  plumbline run test_mine.py --on 'process:python my_backend.py' --json report.json --require-all\n";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs programs on implementations and compares them; explains and lists rules.", "plumbline");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("plumbline ") + PLUMBLINE_VERSION);
  int code = 0;

  RunOptions run;
  CLI::App* run_app = app.add_subcommand("run", "run programs on implementations, and compare them with the reference");
  run_app->footer(kRunFooter);
  run_app->add_option("FILE", run.paths, "programs, FILE::TEST for one test, or folders that hold programs test_*.py")
      ->required();
  run_app
      ->add_option(
          "--on", run.on,
          "implementations, separated by commas: reference, optimized, libtorch-VERSION, process:CMD (CMD is the rest "
          "of the argument, with its commas)")
      ->take_all()
      ->expected(1)
      ->capture_default_str();
  run_app->add_option("--profile", run.profile,
                      "the profile of the reference (default: sound; to compare another implementation, the profile "
                      "that it names)");
  run_app->add_option("--flip", run.flip, "a rule that the reference follows in its misreading, for example INF-03");
  add_common(*run_app, run.common);
  run_app->callback([&] {
    complete(run.common);
    run.on = plumbline::adapter_names(run.on);
    code = run_command(run);
  });

  CheckOptions check;
  CLI::App* check_app = app.add_subcommand(
      "check", "run the curated programs on the reference, optimized and every LibTorch that is built");
  check_app->footer("examples:\n  plumbline check\n  plumbline check -v\n  plumbline check --json check.json\n");
  add_common(*check_app, check.common);
  check_app->add_option("--report", check.report,
                        "the folder for check.txt and check.json, which have everything (default: report, beside the "
                        "build's folder)");
  check_app->callback([&] {
    complete(check.common);
    code = check_command(check);
  });

  ListOptions list;
  list.corpus = PLUMBLINE_CORPUS;
  CLI::App* list_app = app.add_subcommand("list", "list the rules, programs, ops, profiles, errors or implementations");
  list_app->footer(
      "examples:\n  plumbline list rules\n  plumbline list rules INF-06 VIEW\n  plumbline list ops 'add*'\n"
      "  plumbline list programs '*version*' --json\n");
  list_app->add_option("WHAT", list.what, "rules, programs, ops, profiles, errors or implementations")
      ->required()
      ->check(CLI::IsMember({"rules", "programs", "ops", "profiles", "errors", "implementations"}));
  list_app->add_option(
      "NAME", list.names,
      "only these: a rule's id (printed whole, with programs and waivers) or family; for anything else "
      "its name, in which * stands for anything");
  list_app->add_option("--waivers", list.waivers,
                       "the file of known divergences (default: waivers.json in the corpus)");
  list_app->add_option("--corpus", list.corpus, "the folder of the curated programs")->capture_default_str();
  list_app->add_flag("--json", list.json, "print JSON");
  list_app->callback([&] { code = list_command(list); });

  TableOptions table;
  table.corpus = PLUMBLINE_CORPUS;
  CLI::App* table_app = app.add_subcommand("table", "print a table that is computed from rules and programs");
  table_app->footer(
      "examples:\n  plumbline table inference-mode\n  plumbline table inference-mode --flip INF-04\n"
      "  plumbline table migration --on libtorch-2.13.0\n  plumbline table functionalize-inference-mode\n  "
      "plumbline table workload\n  plumbline table ideal\n  "
      "plumbline table coverage > docs/COVERAGE.md\n");
  table_app->add_option("WHAT", table.what, fmt::format("{}", fmt::join(table_names(), ", ")))
      ->required()
      ->check(CLI::IsMember(table_names()));
  table_app->add_option("--corpus", table.corpus, "the folder of the curated programs")->capture_default_str();
  table_app
      ->add_option("--on", table.on,
                   "implementations that also run the programs, separated by commas (default: every LibTorch that is "
                   "built; none: only the rules)")
      ->take_all()
      ->expected(1);
  table_app->add_option("--flip", table.flip, "a rule to misread, for example INF-04");
  table_app->add_flag("--json", table.json, "print JSON");
  table_app->callback([&] {
    complete(table);
    code = table_command(table);
  });

  ExplainOptions explain;
  explain.corpus = PLUMBLINE_CORPUS;
  CLI::App* explain_app =
      app.add_subcommand("explain", "show for each statement of a program which rules decided, and why");
  explain_app->footer(kExplainFooter);
  explain_app
      ->add_option("FILE", explain.program, "a program, FILE::TEST for one of its tests, or a folder of programs")
      ->required();
  explain_app
      ->add_option("--on", explain.on,
                   "implementations to compare with the reference, separated by commas: libtorch-VERSION, process:CMD")
      ->take_all()
      ->expected(1);
  explain_app->add_option("--profile", explain.profile, "the profile of the reference")->capture_default_str();
  explain_app->add_option("--line", explain.line, "only the statements of this line")->check(CLI::PositiveNumber);
  explain_app->add_flag("--all", explain.all, "show every rule that a statement consulted, and how much it mattered");
  explain_app->add_option("--corpus", explain.corpus, "the folder whose waivers.json explains divergences")
      ->capture_default_str();
  explain_app->add_flag("--json", explain.json, "print JSON, with every rule");
  explain_app->callback([&] { code = explain_command(explain); });

  catch_interrupt();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == 0;  // --help, --version
    app.exit(error);
    return asked ? 0 : plumbline::kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::kExitUsage;
  }
  return code;
}
