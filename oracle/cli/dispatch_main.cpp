// plumbline-dispatcher: the commands `dispatch-tables`, `why` and `dispatch-check`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "oracle/adapter.h"
#include "oracle/cli/dispatch_commands.h"
#include "oracle/cli/interrupt.h"
#include "oracle/dispatcher/dump.h"
#include "oracle/siblings.h"
#include "oracle/verdict.h"

int main(int argc, char** argv) {
  using namespace plumbline::cli;
  CLI::App app("Dispatch tables: of all of LibTorch's operators, and which kernel a call would run.", "plumbline");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("plumbline ") + PLUMBLINE_VERSION);
  int code = 0;

  DispatchTablesOptions tables;
  CLI::App* tables_app = app.add_subcommand(
      "dispatch-tables", "compute every entry of every operator's dispatch table, and compare it with LibTorch's");
  tables_app->footer(
      "The rules DSP-01 to DSP-14 are given what LibTorch says is registered, and make of it the table; LibTorch's own "
      "is compared entry by entry, and so\nare the layout of its key sets, what its alias keys serve, and its default "
      "sets.\n\nexamples:\n  plumbline dispatch-tables\n  plumbline dispatch-tables --on libtorch-2.13.0 --profile "
      "sound "
      "--all\n  plumbline dispatch-tables --on libtorch-2.13.0 --flip DSP-08\n\nexit codes: 0 all agree, 1 something "
      "differs, 2 usage, 3 LibTorch could not be asked\n");
  tables_app->add_option("--on", tables.on, "LibTorch versions, separated by commas (default: every one that is built)")
      ->take_all()
      ->expected(1);
  tables_app->add_option("--profile", tables.profile, "of the rules (default: the version's own)");
  tables_app->add_option("--flip", tables.flip, "a rule to misread, as in DSP-08");
  tables_app->add_option("--json", tables.json,
                         "write the report as JSON to this file; - is stdout, in place of the text");
  tables_app->add_flag("--all", tables.all, "every difference, not the first ten");
  tables_app->callback([&] {
    if (tables.on.empty())
      for (const std::string& version : plumbline::libtorch_versions(plumbline::executable_folder()))
        tables.on.push_back("libtorch-" + version);
    tables.on = plumbline::adapter_names(tables.on);
    code = dispatch_tables_command(tables);
  });

  WhyOptions why;
  CLI::App* why_app = app.add_subcommand("why", "which kernel a call would run, and why");
  why_app->footer(
      "--registrations FILE holds a table of your own, a line for each kernel: `KEY: NAME` or `KEY: fallthrough`, the "
      "newest last; KEY is a runtime or an alias key.\n\nexamples:\n  plumbline why aten::add.Tensor --keys "
      "CPU,AutogradCPU,ADInplaceOrView\n  plumbline why aten::add.Tensor --keys XLA\n  plumbline why --registrations "
      "mine.txt --keys PrivateUse1,AutogradPrivateUse1\n\nexit codes: 0 a kernel runs, 1 none does, 2 usage, 3 "
      "LibTorch "
      "could not be asked\n");
  why_app->add_option("OP", why.op, "an operator of LibTorch's, as in aten::add.Tensor");
  why_app->add_option("--keys", why.keys, "the runtime keys of its tensors, separated by commas")->required();
  why_app->add_option("--include", why.include, "the thread's included set (default: the thread's at its start)");
  why_app->add_option("--exclude", why.exclude, "the thread's excluded set (default: the thread's at its start)");
  why_app->add_option("--on", why.on, "libtorch-VERSION (default: the newest that is built)");
  why_app->add_option("--registrations", why.registrations, "a file with what is registered, in place of OP");
  why_app->add_option("--profile", why.profile, "of the rules (default: the version's own)");
  why_app->add_flag("--json", why.json, "as JSON");
  why_app->callback([&] { code = why_command(why); });

  DispatchCheckOptions check;
  check.corpus = PLUMBLINE_CORPUS "/dispatcher";
  CLI::App* check_app = app.add_subcommand(
      "dispatch-check", "the dispatcher's section of `plumbline check`: its curated programs, and LibTorch's tables");
  check_app->footer("examples:\n  plumbline dispatch-check\n  plumbline dispatch-check --on libtorch-2.13.0 -v\n");
  check_app
      ->add_option("--on", check.on,
                   "implementations (default: the reference, optimized and each LibTorch that is built)")
      ->take_all()
      ->expected(1);
  check_app->add_option("--corpus", check.corpus, "the folder of the programs")->capture_default_str();
  check_app->add_option("--json", check.json, "also write what became of each program to this file");
  check_app->add_flag("-v,--verbose", check.verbose, "a line for each program");
  check_app->callback([&] {
    check.on = plumbline::adapter_names(check.on);
    code = dispatch_check_command(check);
  });

  catch_interrupt();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == 0;  // --help, --version
    app.exit(error);
    return asked ? 0 : plumbline::kExitUsage;
  } catch (const plumbline::dispatcher::DumpError& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::kExitHarness;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::kExitUsage;
  }
  return code;
}
