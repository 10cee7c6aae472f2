// plumbline-mutate: `plumbline mutate optimized`, `plumbline mutate oracle`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <thread>

#include "oracle/cli/interrupt.h"
#include "oracle/files.h"
#include "oracle/mutate/run.h"
#include "oracle/mutate/subject.h"
#include "oracle/siblings.h"
#include "oracle/verdict.h"

namespace {

using namespace plumbline;

constexpr const char* kFooter =
    "One token of the sources is changed: a comparison, a number, true or false, + and -, && and ||, a dropped ! or a "
    "dropped\nstatement. What does not compile, or comes out as the very same code, is no mutant: another takes its "
    "place. Each file has its share by\nthe number of its sites.\n\n"
    "optimized: the optimized runtime. The driver plumbline-optimized is built with the change, beside the tree, and "
    "meets the curated programs\nand, where these do not tell, fuzzing against the reference (for files of "
    "optimized/dispatcher also with programs about the dispatcher).\nWhat survives is built once more with "
    "AddressSanitizer and UndefinedBehaviorSanitizer, and meets the same.\n"
    "oracle: what judges: comparison, monitors, waivers, verdicts, expectations and reports. Its tests, harness_test, "
    "are built with the change,\nand must fail.\n"
    "For --faults alone:\nharness: any source of oracle/ and fuzz/ that harness_test has\n"
    "optimized-tests, reference-tests, generator-tests, proofs-tests: a test executable with the change must fail\n"
    "reference: plumbline-run with the change runs the curated programs; reference-fuzzed: plumbline-fuzz with it "
    "fuzzes\nproofs: plumbline-prove with the change proves\n"
    "plumbline selftest --hostile takes a list through all that suits each fault.\n\n"
    "oracle/mutate/left_out.json and oracle_left_out.json say what is left out, survivors.json and "
    "oracle_survivors.json why a mutant survives\nthough nothing is missing.\n\n"
    "examples:\n"
    "  plumbline mutate optimized\n"
    "  plumbline mutate optimized --mutants 20 --seed 7 --only optimized/dispatcher/\n"
    "  plumbline mutate optimized --only operator.cpp:55 --mutants 0\n"
    "  plumbline mutate optimized --list --mutants 0\n"
    "  plumbline mutate optimized --these oracle/mutate/five.json --seconds 2\n"
    "  plumbline mutate oracle --mutants 60 --seed 2\n"
    "  plumbline mutate oracle --only monitors.cpp --mutants 0\n"
    "  plumbline mutate harness --faults oracle/mutate/harness_faults.json\n\n"
    "exit codes: 0 at least 95 % are killed of those that no written reason explains (of named faults: each), 1 not, "
    "or a reason explains\nnothing, 2 usage or a malformed list, 3 the driver is not built, or a step failed by "
    "itself, 4 there was no mutant, 130 interrupted:\nwhat was found until then is told";

/// What the command line asks for and cannot have; empty: nothing.
std::string refused(const mutate::Options& options) {
  if (options.what != "optimized" && options.dispatcher)
    return "--dispatcher is for mutate optimized alone: leave it out";
  if (!options.faults.empty() && !options.these.empty()) return "--faults and --these are two lists: give one";
  if (options.faults.empty() && mutate::subject_named(options.what).sources.empty())
    return "mutate " + options.what + " is for named faults: give --faults";
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
  if (!json.empty() && json != "-") write_file(json, "");  // told before the work
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

}  // namespace

int main(int argc, char** argv) {
  mutate::Options options;
  options.source = PLUMBLINE_SOURCE;
  options.build = executable_folder().parent_path().string();
  options.ninja = PLUMBLINE_NINJA;
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string json;
  std::string command;
  bool listed = false;
  CLI::App app(
      "One-token mutants: of the optimized runtime, which programs must kill, or of the harness, which its tests must.",
      "plumbline mutate");
  app.footer(kFooter);
  app.add_option("command", command, "mutate; accepted so that plumbline can hand its arguments on")->group("");
  app.add_option("WHAT", options.what, "optimized, oracle or harness; of --faults also the others below")
      ->required()
      ->check(CLI::IsMember(mutate::subject_names()));
  app.add_option("--mutants", options.mutants, "how many; 0: all")->capture_default_str();
  app.add_option("--seed", options.seed, "of the sample: the same seed and sources, the same mutants")
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "workers")->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("--seconds", options.seconds, "of each fuzzing")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--programs", options.programs, "of each fuzzing, in place of seconds: the same ones each time");
  app.add_option("--only", options.only, "mutants in this file, or in files with this in their path; FILE:LINE");
  app.add_flag("--dispatcher", options.dispatcher,
               "mutants of optimized/dispatcher/ alone, and programs about the dispatcher alone");
  app.add_option("--these", options.these, "the mutants of this list, in place of a sample");
  app.add_option("--faults", options.faults, "the named faults of this list, in place of mutants; each must be caught");
  app.add_option("--names", options.names, "of --faults: only those of these names, separated by commas")
      ->delimiter(',');
  app.add_option("--json", json, "write the report to this file; - is stdout, in place of the text");
  app.add_flag("--list", listed, "list the mutants, and make none");
  app.add_option("--left-out", options.left_out, "the list of what is left out (default: the subject's)");
  app.add_option("--survivors", options.survivors, "the list of written reasons (default: the subject's)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  if (const std::string why = refused(options); !why.empty()) {
    fmt::print(stderr, "plumbline mutate: {}\n", why);
    return kExitUsage;
  }
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
