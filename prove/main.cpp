// `plumbline prove`: reads the command's arguments and runs it, or starts the executable for mutants.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "oracle/verdict.h"
#include "prove/command.h"
#include "prove/registrations.h"
#include "prove/rules_command.h"
#include "prove/second_solver.h"
#include "support/interrupt.h"
#include "support/sibling.h"

namespace {

using namespace plumbline;

struct Arguments {
  prove::ProveCommand prove;
  prove::RegistrationsOptions registrations;
  std::string registrations_file;
  prove::TableCommand table{
      {}, PLUMBLINE_SOURCE "/docs/measured", PLUMBLINE_SOURCE "/docs/RULES.md", PLUMBLINE_SOURCE "/fuzz/corpus"};
  bool print_table = false, write_table = false, check_table = false;
};

void add_options(CLI::App& app, Arguments& arguments) {
  prove::ProveCommand& prove = arguments.prove;
  app.add_option("--profile", prove.profile,
                 "prove the rules as this profile reads them (plumbline list profiles); all: every profile");
  app.add_option("--only", prove.only, "only obligations whose name contains this, such as heap.no-aliasing or lens.");
  app.add_option("--flip", prove.flip, "misread this rule (all: each rule in turn) and see which obligations fail");
  app.add_option("--solver", prove.solver,
                 "another solver's command (cvc5 or z3), which gets the questions as SMT-LIB files");
  app.add_option("-j,--jobs", prove.jobs, "how many processes of the other solver run at once")
      ->check(CLI::Range(1U, 1000U));
  app.add_option("--smt2", prove.smt2, "also write each obligation as an SMT-LIB file into this folder");
  app.add_option("--json", prove.json, "write a report to this file (-: to stdout, instead of the text)");
  app.add_option("--rlimit", prove.resource_limit, "Z3's resource limit for one question (it counts work, not time)");
  app.add_flag("!--no-programs", prove.programs, "do not look for programs that show refutations");
  app.add_flag(
      "-v,--verbose", prove.verbose,
      "print a line for each obligation, refutations with their programs and counterexamples (default: what fits "
      "one screen)");
  app.add_option("--registrations", arguments.registrations_file,
                 "instead of proving: which reachable key sets find no kernel in this file of registrations");
  app.add_option("--series", arguments.registrations.series,
                 "with --registrations: the PyTorch version of the keys and fallbacks, 2.13 or 1.13");
  app.add_option("--backends", arguments.registrations.backends, "with --registrations: the backends that have tensors")
      ->delimiter(',');
  CLI::Option* table =
      app.add_flag("--table", arguments.print_table, "instead of proving: print the table of rules, docs/RULES.md");
  CLI::Option* write = app.add_flag("--write", arguments.write_table, "with --table: write the file")->needs(table);
  app.add_flag("--check", arguments.check_table,
               "with --table: check that the file is up to date and has no empty cell")
      ->needs(table)
      ->excludes(write);
  app.footer(
      "examples:\n"
      "  plumbline prove                                   # every obligation, with Z3\n"
      "  plumbline prove --profile torch-2.13              # what a profile breaks, with the shortest programs\n"
      "  plumbline prove --profile all --no-programs       # after a change of a variant: what fails in any profile\n"
      "  plumbline prove --flip INF-03 --only heap.        # misread a rule: which obligations fail\n"
      "  plumbline prove --solver cvc5 --jobs 2            # ask a second solver the same questions\n"
      "  plumbline prove --smt2 DIR                        # write the questions as files for any solver\n"
      "  plumbline prove --registrations my_operator.txt   # which key sets find no kernel\n"
      "  plumbline prove --mutants --jobs 2                # change each token of each rule: what notices it\n"
      "  plumbline prove --table --write                   # write docs/RULES.md again\n\n"
      "Each line: verdict, name, time, Z3's resource count, and the rules that the question asks.\n\nexit codes: 0 "
      "every verdict is as expected, 1 a verdict is not, 2 usage or malformed input, 3 a solver failed or gave up");
}

/// Proves each profile in turn; the exit code is the worst one.
int prove_all(prove::ProveCommand command) {
  if (!command.json.empty() || !command.smt2.empty())
    throw std::runtime_error("--json and --smt2 write one profile. Give its name instead of all");
  int worst = 0;
  command.lines = kScreenLines / kProfiles.size();
  for (const ProfileInfo& info : kProfiles) {
    command.profile = info.name;
    worst = std::max(worst, prove::prove_command(command));
    if (cli::interrupted()) break;
  }
  return worst;
}

int run(const Arguments& arguments) {
  if (!arguments.registrations_file.empty()) {
    prove::RegistrationsOptions options = arguments.registrations;
    options.json = arguments.prove.json == "-";
    if (arguments.prove.profile != "sound") options.profile = arguments.prove.profile;
    return prove::prove_registrations(arguments.registrations_file, options, std::cout);
  }
  if (arguments.print_table) {
    prove::TableCommand table = arguments.table;
    using Mode = prove::TableCommand::Mode;
    table.mode = arguments.write_table ? Mode::write : arguments.check_table ? Mode::check : Mode::print;
    return prove::table_command(table);
  }
  prove::ProveCommand command = arguments.prove;
  command.corpus = PLUMBLINE_SOURCE "/fuzz/corpus";
  return command.profile == "all" ? prove_all(command) : prove::prove_command(command);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> given(argv + 1, argv + argc);
  if (!given.empty() && given.front() == "prove") given.erase(given.begin());
  const auto mutants = std::ranges::find(given, "--mutants");
  try {
    if (mutants != given.end()) {
      given.erase(mutants);
      cli::become_sibling("plumbline-prove-mutants", given);
    }
    CLI::App app{"Proves the rules with Z3: every obligation, from the same templates that the reference executes.",
                 "plumbline prove"};
    Arguments arguments;
    add_options(app, arguments);
    std::ranges::reverse(given);  // the order that CLI11 takes
    try {
      app.parse(given);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? 0 : kExitUsage;
    }
    return run(arguments);
  } catch (const SolverFailure& error) {
    fmt::print(stderr, "plumbline prove: {}\n", error.what());
    return kExitHarness;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline prove: {}\n", error.what());
    return kExitUsage;
  }
}
