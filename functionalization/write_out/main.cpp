// plumbline-functionalize: `plumbline functionalize` and `plumbline validate`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "functionalization/validate/command.h"
#include "functionalization/write_out/command.h"
#include "functionalization/write_out/rules.h"
#include "oracle/verdict.h"

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
    "  plumbline validate --rules --programs 2000\n\n"
    "exit codes: 0 nothing differs (--rules: each misreading is noticed), 1 something differs, 2 usage, 3 harness "
    "failure,\n4 nothing was validated, 130 interrupted: partial results are printed";

using Passes = reference::functionalize::Passes;

template <class Chosen>
void add_pass(CLI::App& app, Chosen& passes, const char* described) {
  std::map<std::string, Passes> names;
  for (const Passes one : reference::functionalize::kPasses) names.emplace(name_of(one), one);
  app.add_option("--pass", passes, described)
      ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""))
      ->option_text("a|ab|abc");
}

void add_functionalize(CLI::App& app, functionalize::Options& options) {
  app.footer(kFunctionalize);
  app.add_option("FILE", options.file, "a program that functionalizes bodies")->required()->check(CLI::ExistingFile);
  add_pass(app, options.passes, "the passes to run: a, ab (default) or abc");
  app.add_option("--out", options.out, "write to this file instead of stdout");
  app.add_option("--profile", options.profile, "run the body by the rules of this profile")->capture_default_str();
  app.add_option("--flip", options.flip, "misread this rule (such as FUN-03) and show the result");
}

void add_validate(CLI::App& app, validate::CommandOptions& options, functionalize::RulesOptions& rules) {
  app.footer(kValidate);
  auto* programs = app.add_option("--programs", options.run.programs, "the number of random bodies (default: 100000)");
  app.add_option("--seconds", options.run.seconds, "make random bodies for this long instead")
      ->check(CLI::PositiveNumber)
      ->excludes(programs);
  app.add_option("--seed", options.run.seed, "the random seed: the same seed gives the same bodies")
      ->capture_default_str();
  app.add_option("--steps", options.run.steps, "the number of steps of each body")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--exhaustive", options.exhaustive,
               "instead of random bodies: every chain of views up to --length, with a write through each view");
  app.add_option("--length", options.length, "the length of chains; one small shape gets one view more")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  add_pass(app, options.run.form, "validate only the form after these passes (default: a, ab and abc)");
  app.add_option("--jobs", options.jobs, "the number of threads")->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("--flip", options.flip, "misread this rule in the passes");
  app.add_option("--json", options.json, "write the report to this file (-: to stdout)");
  app.add_flag("--rules", rules.asked, "misread each rule: which curated programs fail, how many bodies differ")
      ->excludes("--flip", "--exhaustive", "--seconds");
  app.add_option("--corpus", rules.corpus, "the folder of these programs")->capture_default_str();
}

}  // namespace

int main(int argc, char** argv) {
  functionalize::Options functionalized;
  validate::CommandOptions validated;
  functionalize::RulesOptions rules;
  rules.corpus = PLUMBLINE_CORPUS "/functionalize";
  CLI::App app("Runs and validates functionalization.", "plumbline");
  app.require_subcommand(1);
  CLI::App* functionalize = app.add_subcommand("functionalize", "Writes out a program's functionalized bodies.");
  add_functionalize(*functionalize, functionalized);
  CLI::App* validate =
      app.add_subcommand("validate", "Compares functionalized bodies with the original bodies, for all values.");
  add_validate(*validate, validated, rules);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  const bool random = !validated.exhaustive && validated.run.seconds == 0 && validated.run.programs == 0;
  if (random) validated.run.programs = 100000;
  try {
    if (functionalize->parsed()) return functionalize::functionalize_command(functionalized);
    if (!rules.asked) return validate::validate_command(validated);
    rules.bodies = validated.run.programs;
    rules.seed = validated.run.seed;
    rules.json = validated.json;
    return functionalize::rules_command(rules);
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "plumbline {}: {}\n", app.get_subcommands()[0]->get_name(), error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline {}: {}\n", app.get_subcommands()[0]->get_name(), error.what());
    return kExitHarness;
  }
}
