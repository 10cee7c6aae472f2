// `plumbline prove`: reads the command's arguments and runs it, or starts the executable for mutants.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "oracle/verdict.h"
#include "prove/command.h"
#include "prove/registrations.h"
#include "prove/rules_command.h"
#include "prove/second_solver.h"
#include "support/command_line.h"
#include "support/files.h"
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

void add_options(Command& command, Arguments& arguments) {
  prove::ProveCommand& prove = arguments.prove;
  command.option("--profile PROFILE", prove.profile,
                 "prove the rules as this profile reads them (plumbline list profiles); all: every profile");
  command.option("--only NAME", prove.only,
                 "only obligations whose name contains this, such as heap.no-aliasing or lens.");
  command.option("--flip RULE", prove.flip,
                 "misread this rule (all: each rule in turn) and see which obligations fail");
  command.option("--solver CMD", prove.solver,
                 "another solver's command (cvc5 or z3), which gets the questions as SMT-LIB files");
  command.jobs(prove.jobs);
  command.option("--smt2 DIR", prove.smt2, "also write each obligation as an SMT-LIB file into this folder")
      .completes("FILE");
  command.json(prove.json);
  command.option("--rlimit N", prove.resource_limit, "Z3's resource limit for one question (it counts work, not time)");
  command.flag("--no-programs", prove.programs, "do not look for programs that show refutations", false);
  Option& verbose = command.verbose(prove.verbose);
  command.quiet(prove.quiet).excludes(verbose);
  command.option("--registrations FILE", arguments.registrations_file,
                 "instead of proving: which reachable key sets find no kernel in this file of registrations");
  command.option("--series VERSION", arguments.registrations.series,
                 "with --registrations: the PyTorch version of the keys and fallbacks, 2.13 or 1.13");
  command
      .option("--backends NAMES", arguments.registrations.backends,
              "with --registrations: the backends that have tensors, separated by commas")
      .separated_by_commas();
  Option& table =
      command.flag("--table", arguments.print_table, "instead of proving: print the table of rules, docs/RULES.md");
  Option& write = command.flag("--write", arguments.write_table, "with --table: write the file").needs(table);
  command
      .flag("--check", arguments.check_table, "with --table: check that the file is up to date and has no empty cell")
      .needs(table)
      .excludes(write);
  command.footer(
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
      "every verdict is as expected, 1 a verdict is not, 2 usage or malformed input, 3 a solver failed or gave up, "
      "130 interrupted: what is proved is printed");
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
    if (arguments.prove.profile != "sound") options.profile = arguments.prove.profile;
    const std::string& json = arguments.prove.json;
    if (!json.empty() && json != "-") {
      std::ostringstream report;
      options.json = true;
      if (const int code = prove::prove_registrations(arguments.registrations_file, options, report);
          code == kExitUsage)
        return code;
      write_file(json, report.str());
    }
    options.json = json == "-";
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
    CommandLine line("plumbline prove",
                     "Proves the rules with Z3: every obligation, from the same templates that the reference executes. "
                     "--mutants changes each token of each rule instead, and has options of its own (plumbline prove "
                     "--mutants --help).");
    Arguments arguments;
    add_options(line, arguments);
    if (const auto code = line.parse(given)) return *code;
    return run(arguments);
  } catch (const SolverFailure& error) {
    fmt::print(stderr, "plumbline prove: {}\n", error.what());
    return kExitHarness;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline prove: {}\n", error.what());
    return kExitUsage;
  }
}
