// plumbline-functionalize: `plumbline functionalize` and `plumbline validate`.
#include <fmt/format.h>

#include <filesystem>

#include "functionalization/validate/command.h"
#include "functionalization/write_out/command.h"
#include "functionalization/write_out/rules.h"
#include "functionalization/write_out/shortest_command.h"
#include "oracle/verdict.h"
#include "support/command_line.h"

namespace {

using namespace plumbline;

constexpr const char* kFunctionalize =
    "Replaces each call `torch.func.functionalize(body)(x)` in FILE by the functionalized body: a core without views "
    "and writes,\nand an epilogue. The epilogue runs in the caller: it copies written values back to the inputs, "
    "resizes them as the body did,\nand makes the results that are views of inputs. The output is again a pytest "
    "file.\n\n"
    "  a     views become copies ({view}_copy), and writes go to all aliases (*_scatter); in-place ops stay\n"
    "  ab    also, each in-place op becomes its functional twin: the core has no view and no write\n"
    "  abc   also, copies become views again if no one can notice\n\n"
    "examples:\n"
    "  plumbline functionalize fuzz/corpus/functionalize/test_pr_63048.py\n"
    "  plumbline functionalize fuzz/corpus/functionalize/test_pr_63048.py --pass abc --out test_views_again.py\n\n"
    "exit codes: 0 every body was written out, 2 usage or a malformed program, 3 harness failure, 4 no test "
    "functionalizes a body,\n5 a body has no functional form (stderr says which body, and which rule refuses it)";

constexpr const char* kValidate =
    "Makes bodies with inputs that may share memory, views of views, and writes through any of them. Runs each body "
    "unchanged,\non memory that is seen through strides, and in each functionalized form (plumbline functionalize "
    "--help). An element is a term\nover the elements before the body; equal terms are equal for all values. Sizes, "
    "strides, offsets and shared memory are\ncompared too.\n\n"
    "examples:\n"
    "  plumbline validate --seconds 60\n"
    "  plumbline validate --programs 100000 --seed 7 --steps 20 --pass abc\n"
    "  plumbline validate --exhaustive\n"
    "  plumbline validate --programs 1000 --flip FUN-05\n"
    "  plumbline validate --rules --programs 2000\n"
    "  plumbline validate --shortest --profile torch-2.13\n\n"
    "exit codes: 0 nothing differs (--rules: each misreading is noticed; --shortest: each fault is shown), 1 "
    "something\n"
    "differs (or is not), 2 usage, 3 harness failure, 4 nothing was validated, 130 interrupted: partial results are "
    "printed";

using Passes = reference::functionalize::Passes;

/// The values of --pass, which have these names.
const std::vector<std::string> kPassNames{"a", "ab", "abc"};

Passes pass_named(const std::string& name) {
  for (const Passes one : reference::functionalize::kPasses)
    if (name_of(one) == name) return one;
  return Passes::ab;
}

void add_functionalize(CommandLine& line, functionalize::Options& options, std::string& pass) {
  Command& command = line.command("functionalize", "print a program with its functionalized bodies written out");
  command.footer(kFunctionalize);
  command.argument("FILE", options.file, "a program that functionalizes bodies").required();
  command.option("--pass PASSES", pass, "the passes to run").choices(kPassNames);
  command.option("--out FILE", options.out, "write to this file instead of stdout; into a folder under the same name");
  command.option("--profile PROFILE", options.profile, "run the body by the rules of this profile");
  command.option("--flip RULE", options.flip, "misread this rule (such as FUN-03) and show the result");
  command.check([&options]() -> std::string {
    return std::filesystem::is_regular_file(options.file)
               ? ""
               : fmt::format("there is no file '{}'. Give the path of a program", options.file);
  });
  command.runs([&options, &pass] {
    options.passes = pass_named(pass);
    if (std::filesystem::is_directory(options.out))
      options.out = (std::filesystem::path(options.out) / std::filesystem::path(options.file).filename()).string();
    return functionalize::functionalize_command(options);
  });
}

struct Validate {
  validate::CommandOptions run;
  functionalize::RulesOptions rules;
  functionalize::ShortestOptions shortest;
  std::string pass;
};

int run_shortest(const Validate& asked) {
  functionalize::ShortestOptions shortest = asked.shortest;
  shortest.flip = asked.run.flip;
  shortest.longest = asked.run.length;
  shortest.jobs = asked.run.jobs;
  shortest.json = asked.run.json;
  shortest.quiet = asked.run.quiet;
  return functionalize::shortest_command(shortest);
}

void add_validate(CommandLine& line, Validate& asked) {
  validate::CommandOptions& options = asked.run;
  functionalize::RulesOptions& rules = asked.rules;
  std::string& pass = asked.pass;
  Command& command = line.command("validate", "compare functionalized bodies with the original bodies, for all values");
  command.footer(kValidate);
  const Option& programs =
      command.option("--programs N", options.run.programs, "the number of random bodies").shows_default("100000");
  Option& seconds = command.seconds(options.run.seconds, "as many random bodies as fit").excludes(programs);
  command.seed(options.run.seed);
  command.option("--steps N", options.run.steps, "the number of steps of each body").range(1, 1000);
  Option& exhaustive =
      command.flag("--exhaustive", options.exhaustive,
                   "instead of random bodies: every chain of views up to --length, with a write through each view");
  command
      .option("--length N", options.length,
              "the length of chains, where one small shape gets one view more; with --shortest, of bodies")
      .range(1, 6);
  command.option("--pass PASSES", pass, "validate only the form after these passes")
      .choices(kPassNames)
      .shows_default("each of them");
  command.jobs(options.jobs);
  Option& flip = command.option("--flip RULE", options.flip, "misread this rule in the passes");
  command.json(options.json);
  command.quiet(options.quiet);
  Option& each =
      command.flag("--rules", rules.asked, "misread each rule: which curated programs fail, how many bodies differ")
          .excludes(flip)
          .excludes(exhaustive)
          .excludes(seconds);
  Option& shortest = command
                         .flag("--shortest", asked.shortest.asked,
                               "misread each rule, or that of --flip: the shortest body that differs")
                         .excludes(each)
                         .excludes(exhaustive)
                         .excludes(seconds)
                         .excludes(programs);
  command.option("--profile PROFILE", asked.shortest.profile, "with --shortest: run bodies as this release does")
      .needs(shortest)
      .excludes(flip);
  command.option("--corpus DIR", rules.corpus, "the folder of these programs")
      .shows_default("fuzz/corpus/functionalize")
      .completes("FILE");
  command.runs([&asked, &options, &rules, &pass] {
    if (asked.shortest.asked) return run_shortest(asked);
    if (!pass.empty()) options.run.form = pass_named(pass);
    const bool random = !options.exhaustive && options.run.seconds == 0 && options.run.programs == 0;
    if (random) options.run.programs = 100000;
    if (!rules.asked) return validate::validate_command(options);
    rules.bodies = options.run.programs;
    rules.seed = options.run.seed;
    rules.json = options.json;
    rules.quiet = options.quiet;
    return functionalize::rules_command(rules);
  });
}

}  // namespace

int main(int argc, char** argv) {
  functionalize::Options functionalized;
  Validate validated;
  validated.rules.corpus = PLUMBLINE_CORPUS "/functionalize";
  CommandLine line("plumbline", "Runs and validates functionalization.");
  std::string written{name_of(functionalized.passes)};
  add_functionalize(line, functionalized, written);
  add_validate(line, validated);
  if (const auto code = line.parse(argc, argv)) return *code;
  try {
    return line.run();
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "plumbline {}: {}\n", argv[1], error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline {}: {}\n", argv[1], error.what());
    return kExitHarness;
  }
}
