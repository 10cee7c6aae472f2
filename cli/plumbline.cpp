// The command `plumbline`: starts the executable beside it that does the work.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/completion.h"
#include "language/refusal.h"
#include "oracle/verdict.h"
#include "support/sibling.h"

namespace {

struct Command {
  const char* name;
  const char* sibling;  ///< gets the command's name as its first argument; empty: this executable runs it
  const char* line;
};

constexpr std::array kCommands{
    Command{"check", "plumbline-run",
            "run the curated programs on every implementation, and print which rules each one keeps"},
    Command{"run", "plumbline-run", "run programs on implementations, and compare them with the reference"},
    Command{"list", "plumbline-run", "list the rules, laws, programs, ops, profiles, errors or implementations"},
    Command{"explain", "plumbline-run", "show for each statement of a program which rules decided, and why"},
    Command{"table", "plumbline-run", "print a computed table, such as inference-mode or coverage"},
    Command{"prove", "plumbline-prove", "prove the rules with Z3: invariants, guards, dispatch tables, laws of views"},
    Command{"dispatch-tables", "plumbline-dispatcher",
            "compute each operator's dispatch table, and compare every entry with LibTorch's"},
    Command{"why", "plumbline-dispatcher", "show which kernel a call of an operator runs, and why"},
    Command{"try", "plumbline-try", "after a change of a rule: build, prove, run and fuzz, and print what fell"},
    Command{"record", "plumbline-record", "run a Python script, and write the program that it performed with PyTorch"},
    Command{"env", "plumbline-env", "make, list or remove the environments in which some implementations run"},
    Command{"functionalize", "plumbline-functionalize",
            "print a program with its functionalized bodies, without views and in-place writes"},
    Command{"validate", "plumbline-functionalize",
            "functionalize random bodies or chains of views, and check the results for all values"},
    Command{"fuzz", "plumbline-fuzz", "generate programs, and compare an implementation with the reference"},
    Command{"sweep", "plumbline-sweep", "call every operator of an implementation, and judge it by its schema"},
    Command{"shrink", "plumbline-fuzz", "make a program small that differs on an implementation"},
    Command{"selftest", "plumbline-fuzz",
            "plant faults in an implementation or the harness, and check that each is caught"},
    Command{"mutate", "plumbline-mutate",
            "change one token of the runtime or the oracle at a time, and check that a test notices"},
    Command{"hits", "plumbline-fuzz", "count for each rule the generated programs in which its misreading shows"},
    Command{"variants", "plumbline-fuzz",
            "print the shortest program for each rule in which a profile differs from sound"},
    Command{"bench", "plumbline-bench",
            "measure the optimized runtime and LibTorch, or compare a build with an earlier one"},
    Command{"completion", "", "print a script with which bash or zsh completes plumbline's command lines"},
};

constexpr const char* kCompletionHelp =
    "print a script with which a shell completes commands, options, their values, rules and files\n"
    "usage: plumbline completion bash|zsh\n\n"
    "examples:\n"
    "  eval \"$(build/release/bin/plumbline completion bash)\"    # in ~/.bashrc, with the whole path\n"
    "  eval \"$(build/release/bin/plumbline completion zsh)\"     # in ~/.zshrc, after compinit\n\n"
    "It completes `plumbline` in any folder. exit codes: 0 printed, 2 usage\n";

void print_help() {
  fmt::print(
      "Plumbline compares an implementation of PyTorch's dispatcher, InferenceMode and functionalization with an "
      "executable specification.\n\n"
      "usage: plumbline COMMAND [OPTIONS]\n\ncommands:\n");
  for (const Command& command : kCommands) fmt::print("  {:<15} {}\n", command.name, command.line);
  fmt::print(
      "\n  plumbline COMMAND --help shows the options of a command; plumbline --version prints the version.\n\n"
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
  fmt::print(stderr, "plumbline: unknown command '{}'. {}.\n", name,
             plumbline::program::did_you_mean(name, names, "See plumbline --help"));
  return plumbline::kExitUsage;
}

/// `arguments`: what follows `plumbline completion`.
int completion(const std::vector<std::string>& arguments) {
  const std::string shell = arguments.empty() ? "" : arguments.front();
  if (shell == "--help" || shell == "-h") return fmt::print("{}", kCompletionHelp), 0;
  const std::string script = plumbline::cli::completion_script(shell);
  if (arguments.size() == 1 && !script.empty()) return fmt::print("{}", script), 0;
  if (shell == "--complete-options") return fmt::print("SHELL bash|zsh\n-h\n--help\n"), 0;
  fmt::print(stderr, "plumbline completion: name a shell, bash or zsh\n  plumbline completion --help shows more.\n");
  return plumbline::kExitUsage;
}

/// Answers a shell: what may stand in the place of the last word.
int complete(const std::vector<std::string>& words) {
  std::vector<plumbline::cli::CompletedCommand> commands;
  for (const Command& command : kCommands) commands.push_back({command.name, command.sibling});
  for (const std::string& word : plumbline::cli::completions(commands, words)) fmt::print("{}\n", word);
  return 0;
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
  if (name == "--complete") return complete({argv + 2, argv + argc});
  if (name == "completion") return completion({argv + 2, argv + argc});
  const auto* command = std::ranges::find(kCommands, name, &Command::name);
  if (command == kCommands.end()) return unknown(name);
  try {
    plumbline::cli::become_sibling(command->sibling, std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "plumbline {}: {}\n", name, error.what());
    return plumbline::kExitHarness;
  }
}
