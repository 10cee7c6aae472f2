// The command `plumbline`: starts the executable beside it that does the work.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/cli/sibling.h"
#include "oracle/program/refusal.h"
#include "oracle/verdict.h"

namespace {

struct Command {
  const char* name;
  const char* sibling;  ///< is given the command's name as its first argument
  const char* line;
};

constexpr std::array kCommands{
    Command{"check", "plumbline-run",
            "run the curated programs on the reference, optimized and each LibTorch that is built; the table rule × "
            "implementation"},
    Command{"run", "plumbline-run", "run programs on implementations of your choice and compare"},
    Command{"list", "plumbline-run", "list rules, programs, ops, profiles, errors or implementations"},
    Command{"explain", "plumbline-run", "tell of a program, statement by statement, which rules decided, and why"},
    Command{"table", "plumbline-run",
            "print a table, computed: which programs and rules show which sentence of the texts"},
    Command{"prove", "plumbline-prove",
            "prove the rules with Z3: the invariants, the guards, the dispatch tables, the laws of views"},
    Command{"dispatch-tables", "plumbline-dispatcher",
            "every entry of every operator's dispatch table, by the rules and as LibTorch has it"},
    Command{"why", "plumbline-dispatcher", "which kernel a call of an operator would run, and why"},
    Command{"dispatch-check", "plumbline-dispatcher",
            "run the dispatcher's curated programs and compare LibTorch's tables: a section of check"},
    Command{"functionalize", "plumbline-functionalize",
            "print a program with its functionalized bodies written out: without views, without writes"},
    Command{"validate", "plumbline-functionalize",
            "functionalize random bodies, or every chain of views, and hold each for all values against what it was"},
    Command{"fuzz", "plumbline-fuzz", "generate programs and hold an implementation against the reference"},
    Command{"selftest", "plumbline-fuzz",
            "plant faults, in an implementation or in the harness itself, and see that each is caught"},
    Command{"mutate", "plumbline-mutate",
            "change the sources of the optimized runtime, or of what judges, one token at a time, and see that it is "
            "noticed"},
    Command{"hits", "plumbline-fuzz", "for each rule, in how many generated programs its misreading shows"},
    Command{"variants", "plumbline-fuzz",
            "for each rule in which a profile differs from sound, the shortest program that shows it"},
    Command{"bench", "plumbline-bench",
            "measure the optimized runtime beside LibTorch, or hold a build against an earlier one"},
};

void print_help() {
  fmt::print(
      "Plumbline holds an implementation of PyTorch's dispatcher and InferenceMode against an executable "
      "specification.\n\n"
      "usage: plumbline COMMAND [OPTIONS]\n\ncommands:\n");
  for (const Command& command : kCommands) fmt::print("  {:<15} {}\n", command.name, command.line);
  fmt::print(
      "\n  plumbline COMMAND --help tells more of one; plumbline --version prints the version.\n\n"
      "examples:\n"
      "  plumbline check\n"
      "  plumbline run test_mine.py --on reference,libtorch-2.13.0\n"
      "  plumbline run test_mine.py --on 'process:python my_backend.py' --json report.json\n"
      "  plumbline fuzz --on libtorch-2.13.0 --programs 100000 --seed 1\n"
      "  plumbline list rules\n\n"
      "exit codes: 0 no divergence, 1 divergence, 2 usage or malformed input, 3 harness failure, 4 nothing ran, 5 "
      "unknown only\n");
}

int unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  fmt::print(stderr, "plumbline: there is no command '{}'. {}.\n", name,
             plumbline::program::did_you_mean(name, names, "See plumbline --help"));
  return plumbline::kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    print_help();
    return plumbline::kExitUsage;
  }
  const std::string name = argv[1];
  if (name == "--help" || name == "-h" || name == "help") return print_help(), 0;
  if (name == "--version") return fmt::print("plumbline {}\n", PLUMBLINE_VERSION), 0;
  const auto* command = std::ranges::find(kCommands, name, &Command::name);
  if (command == kCommands.end()) return unknown(name);
  try {
    plumbline::cli::become_sibling(command->sibling, std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "plumbline {}: {}\n", name, error.what());
    return plumbline::kExitHarness;
  }
}
