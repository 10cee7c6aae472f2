// plumbline-prove-mutants: `plumbline prove --mutants`.
#include <fmt/format.h>

#include "mutation/rules/run.h"
#include "oracle/verdict.h"
#include "support/command_line.h"
#include "support/interrupt.h"

int main(int argc, char** argv) {
  using namespace plumbline;
  mutants::Options options;
  options.source = PLUMBLINE_SOURCE;
  options.corpus = options.source + "/fuzz/corpus";
  options.survivors = options.source + "/spec/proofs/survivors.json";
  mutants::Outputs outputs;
  CommandLine line(
      "plumbline prove --mutants",
      "Mutants of every rule: each one-token change must be killed by a proof, shown by a program, or explained.");
  line.footer(
      "Changes each operator, comparison, literal, key, select and judge of spec/rules and spec/machine, and each "
      "branch, "
      "path and step of\nspec/machine, one at a time. The obligations that reach the change are proved again until a "
      "verdict is not the expected one. If all\nare as expected, the curated programs that reach the change run until "
      "one "
      "behaves differently. A mutant that survives both needs a\nreason in spec/proofs/survivors.json.\n\nexamples:\n"
      "  plumbline prove --mutants\n"
      "  plumbline prove --mutants --rule INF-03 --programs\n"
      "  plumbline prove --mutants --file view.h --jobs 2 --json mutants.json\n"
      "  plumbline prove --mutants --sample 40 --seed 7\n\n"
      "exit codes: 0 every mutant is killed, shown or explained, 1 one is not, 2 usage or a malformed list of "
      "survivors,\n3 the solver failed, 4 no mutant was chosen, 130 interrupted: partial results are printed");
  line.option("--rule RULE", options.rule, "only mutants in the functions that ask this rule, such as INF-03");
  line.option("--file FILE", options.file, "only mutants in this file of spec/rules, such as view.h");
  line.option("--sample N", options.sample, "a random sample of this size; does not check branches").positive();
  line.seed(options.seed);
  line.jobs(options.jobs);
  line.flag("--programs", options.programs, "also run the programs for mutants that a proof kills");
  line.flag("--no-branches", options.branches, "do not check that each branch is reached", false);
  line.option("--by-rule FILE", outputs.by_rule, "write the counts of each rule to this file, for docs/RULES.md");
  line.json(outputs.json);
  line.option("--corpus DIR", options.corpus, "the folder of the curated programs")
      .shows_default("fuzz/corpus")
      .completes("FILE");
  line.option("--survivors FILE", options.survivors, "the list of survivors with reasons")
      .shows_default("spec/proofs/survivors.json");
  bool mutants = true;
  line.flag("--mutants", mutants, "this command; accepted because plumbline passes its arguments on").hidden();
  if (const auto code = line.parse(argc, argv)) return *code;
  cli::catch_interrupt();
  try {
    return mutants::run_and_print(options, outputs);
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline prove --mutants: {}\n", error.what());
    return kExitUsage;
  }
}
