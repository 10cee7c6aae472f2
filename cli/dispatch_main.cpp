// plumbline-dispatcher: the commands `dispatch-tables`, `why` and `dispatch-check`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "adapters/adapter.h"
#include "cli/dispatch_commands.h"
#include "oracle/dispatcher/dump.h"
#include "oracle/verdict.h"
#include "support/interrupt.h"
#include "support/siblings.h"

int main(int argc, char** argv) {
  using namespace plumbline::cli;
  CLI::App app("Computes the dispatch tables of LibTorch's operators, and shows which kernel a call runs.",
               "plumbline");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("plumbline ") + PLUMBLINE_VERSION);
  int code = 0;

  DispatchTablesOptions tables;
  CLI::App* tables_app = app.add_subcommand(
      "dispatch-tables", "compute every entry of every operator's dispatch table, and compare it with LibTorch's");
  tables_app->footer(
      "The rules DSP-01 to DSP-14 compute each table from the kernels that LibTorch says are registered. The result is "
      "compared with\nLibTorch's own table, entry by entry. The layout of key sets, the keys that each alias key "
      "serves and the default sets are compared too.\n\nexamples:\n  plumbline dispatch-tables\n  plumbline "
      "dispatch-tables --on libtorch-2.13.0 --profile "
      "sound "
      "--all\n  plumbline dispatch-tables --on libtorch-2.13.0 --flip DSP-08\n\nexit codes: 0 all agree, 1 something "
      "differs, 2 usage, 3 LibTorch could not be asked\n");
  tables_app->add_option("--on", tables.on, "LibTorch versions, separated by commas (default: every one that is built)")
      ->take_all()
      ->expected(1);
  tables_app->add_option("--profile", tables.profile,
                         "the profile of the rules (default: the profile of the LibTorch version)");
  tables_app->add_option("--flip", tables.flip, "a rule to misread, for example DSP-08");
  tables_app->add_option("--json", tables.json,
                         "write the report as JSON to this file; with -, to stdout instead of the text");
  tables_app->add_flag("--all", tables.all, "print every difference, not only the first ten");
  tables_app->callback([&] {
    if (tables.on.empty())
      for (const std::string& version : plumbline::libtorch_versions(plumbline::executable_folder()))
        tables.on.push_back("libtorch-" + version);
    tables.on = plumbline::adapter_names(tables.on);
    code = dispatch_tables_command(tables);
  });

  WhyOptions why;
  CLI::App* why_app = app.add_subcommand("why", "show which kernel a call of an operator runs, and why");
  why_app->footer(
      "--registrations FILE holds registrations of your own, one line for each kernel: `KEY: NAME` or `KEY: "
      "fallthrough`, the newest last. KEY is a runtime key or an alias key.\n\nexamples:\n  plumbline why "
      "aten::add.Tensor --keys "
      "CPU,AutogradCPU,ADInplaceOrView\n  plumbline why aten::add.Tensor --keys XLA\n  plumbline why --registrations "
      "mine.txt --keys PrivateUse1,AutogradPrivateUse1\n\nexit codes: 0 a kernel runs, 1 none does, 2 usage, 3 "
      "LibTorch "
      "could not be asked\n");
  why_app->add_option("OP", why.op, "an operator of LibTorch, for example aten::add.Tensor");
  why_app->add_option("--keys", why.keys, "the runtime keys of the tensor arguments, separated by commas")->required();
  why_app->add_option("--include", why.include, "the thread's included key set (default: that of a new thread)");
  why_app->add_option("--exclude", why.exclude, "the thread's excluded key set (default: that of a new thread)");
  why_app->add_option("--on", why.on, "libtorch-VERSION (default: the newest that is built)");
  why_app->add_option("--registrations", why.registrations, "a file with registrations, instead of OP");
  why_app->add_option("--profile", why.profile,
                      "the profile of the rules (default: the profile of the LibTorch version)");
  why_app->add_flag("--json", why.json, "print JSON");
  why_app->callback([&] { code = why_command(why); });

  DispatchCheckOptions check;
  check.corpus = PLUMBLINE_CORPUS "/dispatcher";
  CLI::App* check_app = app.add_subcommand(
      "dispatch-check", "run the curated programs about the dispatcher, and compare LibTorch's tables");
  check_app->footer("examples:\n  plumbline dispatch-check\n  plumbline dispatch-check --on libtorch-2.13.0 -v\n");
  check_app
      ->add_option(
          "--on", check.on,
          "implementations, separated by commas (default: reference, optimized and every LibTorch that is built)")
      ->take_all()
      ->expected(1);
  check_app->add_option("--corpus", check.corpus, "the folder of the programs")->capture_default_str();
  check_app->add_option("--json", check.json, "also write the result of each program as JSON to this file");
  check_app->add_flag("-v,--verbose", check.verbose, "print a line for each program");
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
