// plumbline-mutate: `plumbline mutate optimized`, `plumbline mutate oracle`.
#include <fmt/format.h>

#include <filesystem>

#include "mutation/run.h"
#include "mutation/subject.h"
#include "oracle/verdict.h"
#include "support/command_line.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/siblings.h"

namespace {

using namespace plumbline;

constexpr const char* kFooter =
    "Changes one token of the sources: a comparison, a number, true or false, + or -, && or ||; or drops a ! or a "
    "statement.\nA change that does not compile, or compiles to the same code, is replaced by another one. Each file "
    "gets a share of the mutants\nin proportion to its number of sites.\n\n"
    "optimized: the optimized runtime. Builds the driver plumbline-optimized with the change, outside the source tree, "
    "and runs the curated\nprograms on it. If they do not kill the mutant, fuzzes it against the reference (files of "
    "optimized/dispatcher also with programs\nabout the dispatcher). A survivor is built again with AddressSanitizer "
    "and UndefinedBehaviorSanitizer, and runs the same.\n"
    "oracle: the code that judges: comparison, monitors, waivers, verdicts, expectations and reports. Builds its "
    "tests, harness_test,\nwith the change; they must fail.\n"
    "cuda: the kernels for CUDA. Builds optimized_cuda_test, which runs them on the host, with the change; it must "
    "fail.\n"
    "Only with --faults:\nharness: every source of oracle/ and fuzz/ in harness_test\n"
    "optimized-tests, reference-tests, generator-tests, proofs-tests: a test executable with the change must fail\n"
    "lazy: the lazy backend and what is removed for backends, in optimized_lazy_test\n"
    "reference: plumbline-run with the change runs the curated programs; reference-fuzzed: plumbline-fuzz with the "
    "change fuzzes\nproofs: plumbline-prove with the change proves\n"
    "plumbline selftest --hostile runs every subject that fits each fault.\n\n"
    "mutation/left_out.json, oracle_left_out.json and cuda_left_out.json list places without mutants. survivors.json, "
    "oracle_survivors.json\nand cuda_survivors.json list mutants that may survive, with the reason.\n\n"
    "examples:\n"
    "  plumbline mutate optimized\n"
    "  plumbline mutate optimized --mutants 20 --seed 7 --only optimized/dispatcher/\n"
    "  plumbline mutate optimized --only operator.cpp:55 --mutants 0\n"
    "  plumbline mutate optimized --list --mutants 0\n"
    "  plumbline mutate optimized --these mutation/five.json --seconds 2\n"
    "  plumbline mutate oracle --mutants 60 --seed 2\n"
    "  plumbline mutate oracle --only monitors.cpp --mutants 0\n"
    "  plumbline mutate cuda --mutants 20\n"
    "  plumbline mutate harness --faults mutation/harness_faults.json\n"
    "  plumbline mutate lazy --faults mutation/lazy_faults.json\n"
    "  plumbline mutate proofs --faults mutation/machine_faults.json\n\n"
    "exit codes: 0 at least 95 % of the mutants without a written reason are killed (with --faults: each fault), 1 "
    "fewer are, or a\nreason explains nothing, 2 usage or a malformed list, 3 the driver is not built, or a step "
    "failed by itself, 4 there was\nno mutant, 130 interrupted: partial results are printed";

/// Options that exclude each other, in words; empty if there are none.
std::string refused(const mutate::Options& options) {
  if (options.what != "optimized" && options.dispatcher)
    return "--dispatcher works only with mutate optimized. Leave it out";
  if (!options.faults.empty() && !options.these.empty())
    return "--faults and --these exclude each other. Give one of them";
  if (options.faults.empty() && mutate::subject_named(options.what).sources.empty())
    return "mutate " + options.what + " works only with --faults. Give a list of faults";
  return "";
}

/// Fills in the lists that were not given.
void complete(mutate::Options& options) {
  const mutate::Subject& subject = mutate::subject_named(options.what);
  if (options.left_out.empty()) options.left_out = fmt::format("{}/{}", options.source, subject.left_out);
  if (options.survivors.empty()) options.survivors = fmt::format("{}/{}", options.source, subject.survivors);
}

int list(const mutate::Options& options) {
  const mutate::Chosen chosen = mutate::chosen(options);
  for (const mutate::Site& site : chosen.sites) fmt::print("{} | {}\n", site.name(), site.text);
  for (const std::string& line : chosen.stale) fmt::print("{}\n", line);
  fmt::print("{} mutants\n", chosen.sites.size());
  return chosen.sites.empty() ? kExitNothing : !chosen.stale.empty() ? 1 : 0;
}

int run(const mutate::Options& options, const std::string& json) {
  if (!json.empty() && json != "-") write_file(json, "");  // fails before the work
  const mutate::Report report = mutate::run(options);
  if (json == "-") {
    fmt::print("{}\n", mutate::json_of(report).dump(1));
    return report.exit_code();
  }
  for (const mutate::Mutant& mutant : report.mutants)
    if (mutant.outcome <= mutate::Outcome::undecided) fmt::print("{}\n", mutate::line_of(mutant));
  fmt::print("{}", mutate::closing_text(report));
  if (!json.empty()) write_file(json, mutate::json_of(report).dump(1) + "\n");
  return report.exit_code();
}

void add_options(Command& command, mutate::Options& options) {
  command.argument("WHAT", options.what, "what to mutate").required().choices(mutate::subject_names());
  command.option("--mutants N", options.mutants, "the number of mutants; 0: all");
  command.seed(options.seed);
  command.jobs(options.jobs);
  command.seconds(options.seconds, "the length of each fuzzing step");
  command.option("--programs N", options.programs,
                 "the length of each fuzzing step in programs, instead of seconds: the same programs each time");
  command.option("--only FILE", options.only,
                 "only mutants in this file, in files whose path contains this, or at FILE:LINE");
  command.flag("--dispatcher", options.dispatcher,
               "only mutants of optimized/dispatcher/, and only programs about the dispatcher");
  command.option("--these FILE", options.these, "the mutants of this list, instead of a sample");
  command.option("--faults FILE", options.faults,
                 "the named faults of this list, instead of mutants; each must be caught");
  command
      .option("--names NAMES", options.names,
              "only the faults with these names, separated by commas; use it with --faults")
      .separated_by_commas();
  command.option("--left-out FILE", options.left_out, "the list of places without mutants")
      .shows_default("the subject's");
  command.option("--survivors FILE", options.survivors, "the list of survivors with reasons")
      .shows_default("the subject's");
  command.footer(kFooter);
  command.check([&options] { return refused(options); });
}

}  // namespace

int main(int argc, char** argv) {
  mutate::Options options;
  options.source = PLUMBLINE_SOURCE;
  options.build = executable_folder().parent_path().string();
  options.ninja = PLUMBLINE_NINJA;
  std::string json;
  bool listed = false;
  CommandLine line("plumbline mutate",
                   "Makes one-token mutants of the optimized runtime, which programs must kill, or of the harness, "
                   "which its tests must kill.");
  add_options(line, options);
  line.json(json);
  line.flag("--list", listed, "list the mutants without making them");
  if (const auto code = line.parse(argc, argv)) return *code;
  complete(options);
  for (std::string* path : {&options.these, &options.faults, &options.left_out, &options.survivors, &json})
    if (!path->empty() && *path != "-") *path = std::filesystem::absolute(*path).string();
  cli::catch_interrupt();
  try {
    return listed ? list(options) : run(options, json);
  } catch (const mutate::UsageError& error) {
    fmt::print(stderr, "plumbline mutate: {}\n", error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline mutate: {}\n", error.what());
    return kExitHarness;
  }
}
