// plumbline-prove-mutants: `plumbline prove --mutants`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <thread>

#include "oracle/cli/interrupt.h"
#include "oracle/prove/mutants_run.h"
#include "oracle/verdict.h"

int main(int argc, char** argv) {
  using namespace plumbline;
  mutants::Options options;
  options.source = PLUMBLINE_SOURCE;
  options.corpus = options.source + "/fuzz/corpus";
  options.survivors = options.source + "/spec/proofs/survivors.json";
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  mutants::Outputs outputs;
  CLI::App app("One-token mutants of every rule: each is killed by a proof, shown by a program, or explained.",
               "plumbline prove --mutants");
  app.footer(
      "Each operator, comparison, literal, key, select and judge of spec/rules is changed by itself. The obligations "
      "that meet it are proved again\nuntil one's verdict is not the expected one; where none is, the curated programs "
      "that meet it are run until one shows something else.\nWhat neither shows must have a reason in "
      "spec/proofs/survivors.json.\n\nexamples:\n"
      "  plumbline prove --mutants\n"
      "  plumbline prove --mutants --rule INF-03 --programs\n"
      "  plumbline prove --mutants --file view.h --jobs 2 --json mutants.json\n"
      "  plumbline prove --mutants --sample 40 --seed 7\n\n"
      "exit codes: 0 every mutant is killed, shown or explained, 1 not, 2 usage or a malformed list of survivors, 3 "
      "the solver failed,\n4 no mutant was chosen, 130 interrupted: what was found until then is printed");
  app.add_option("--rule", options.rule, "mutants in the functions that ask this rule, as in INF-03");
  app.add_option("--file", options.file, "mutants in this file of spec/rules, as in view.h");
  app.add_option("--sample", options.sample, "so many of them, the same for the same seed; branches are left out")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "of the sample")->capture_default_str();
  app.add_option("--jobs", options.jobs, "workers")->check(CLI::Range(1, 256))->capture_default_str();
  app.add_flag("--programs", options.programs, "run the programs for mutants that a proof kills, too");
  app.add_flag("!--no-branches", options.branches, "do not look whether each branch is reached");
  app.add_option("--by-rule", outputs.by_rule,
                 "write how many mutants of each rule are killed to this file, for docs/RULES.md");
  app.add_option("--json", outputs.json, "write the report to this file; - is stdout, in place of the text");
  app.add_option("--corpus", options.corpus, "the folder of the curated programs")->capture_default_str();
  app.add_option("--survivors", options.survivors, "the list of written reasons")->capture_default_str();
  bool mutants = true;
  std::string command;
  app.add_flag("--mutants", mutants, "this command; accepted so that plumbline can hand its arguments on")->group("");
  app.add_option("command", command, "prove; accepted for the same reason")->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : kExitUsage;
  }
  cli::catch_interrupt();
  try {
    return mutants::run_and_print(options, outputs);
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline prove --mutants: {}\n", error.what());
    return kExitUsage;
  }
}
