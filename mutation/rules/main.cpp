// plumbline-prove-mutants: `plumbline prove --mutants`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <thread>

#include "mutation/rules/run.h"
#include "oracle/verdict.h"
#include "support/interrupt.h"

int main(int argc, char** argv) {
  using namespace plumbline;
  mutants::Options options;
  options.source = PLUMBLINE_SOURCE;
  options.corpus = options.source + "/fuzz/corpus";
  options.survivors = options.source + "/spec/proofs/survivors.json";
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  mutants::Outputs outputs;
  CLI::App app(
      "Mutants of every rule: each one-token change must be killed by a proof, shown by a program, or explained.",
      "plumbline prove --mutants");
  app.footer(
      "Changes each operator, comparison, literal, key, select and judge of spec/rules, one at a time. The obligations "
      "that reach the change\nare proved again until a verdict is not the expected one. If all are as expected, the "
      "curated programs that reach the change run until\none behaves differently. A mutant that survives both needs a "
      "reason in spec/proofs/survivors.json.\n\nexamples:\n"
      "  plumbline prove --mutants\n"
      "  plumbline prove --mutants --rule INF-03 --programs\n"
      "  plumbline prove --mutants --file view.h --jobs 2 --json mutants.json\n"
      "  plumbline prove --mutants --sample 40 --seed 7\n\n"
      "exit codes: 0 every mutant is killed, shown or explained, 1 one is not, 2 usage or a malformed list of "
      "survivors,\n3 the solver failed, 4 no mutant was chosen, 130 interrupted: partial results are printed");
  app.add_option("--rule", options.rule, "only mutants in the functions that ask this rule, such as INF-03");
  app.add_option("--file", options.file, "only mutants in this file of spec/rules, such as view.h");
  app.add_option("--sample", options.sample, "a random sample of this size; does not check branches")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "the sample's seed: the same seed gives the same mutants")
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "the number of worker processes")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_flag("--programs", options.programs, "also run the programs for mutants that a proof kills");
  app.add_flag("!--no-branches", options.branches, "do not check that each branch is reached");
  app.add_option("--by-rule", outputs.by_rule, "write the counts of each rule to this file, for docs/RULES.md");
  app.add_option("--json", outputs.json, "write the report to this file (-: to stdout, instead of the text)");
  app.add_option("--corpus", options.corpus, "the folder of the curated programs")->capture_default_str();
  app.add_option("--survivors", options.survivors, "the list of survivors with reasons")->capture_default_str();
  bool mutants = true;
  std::string command;
  app.add_flag("--mutants", mutants, "this command; accepted because plumbline passes its arguments on")->group("");
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
