// plumbline-functionalize: `plumbline functionalize` and `plumbline validate`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "oracle/functionalize/command.h"
#include "oracle/functionalize/rules.h"
#include "oracle/validate/command.h"
#include "oracle/verdict.h"

namespace {

using namespace plumbline;

constexpr const char* kFunctionalize =
    "In each test of FILE `torch.func.functionalize(body)(x)` is replaced by what functionalization makes of the body: "
    "a "
    "core, and an\nepilogue in which the caller copies back what was written to inputs, changes their sizes as the "
    "body "
    "did, and makes the results that\nare views of inputs. What is printed is a pytest file again.\n\n"
    "  a     views become copies ({view}_copy), and writes reach what aliased (*_scatter); writes stay\n"
    "  ab    and every write becomes its functional twin: the core has no view and no write\n"
    "  abc   and copies of views are views again where nobody can tell\n\n"
    "examples:\n"
    "  plumbline functionalize fuzz/corpus/functionalize/test_pr_63048.py\n"
    "  plumbline functionalize fuzz/corpus/functionalize/test_pr_63048.py --pass abc --out test_views_again.py\n\n"
    "exit codes: 0 every body is written out, 2 usage or a malformed program, 3 harness failure, 4 FILE functionalizes "
    "nothing, 5 a body\nhas no functional form (stderr says which, and by which rule)";

constexpr const char* kValidate =
    "Each body has inputs that may share memory, views of views, and writes through any of them. It runs as it is, on "
    "memory that is seen\nthrough strides, and in each functionalized form (see plumbline functionalize --help); an "
    "element is a term of the elements that\nwere there before, and equal terms are equal for all values. Sizes, "
    "strides, offsets and what shares memory are held against each other\nas well.\n\n"
    "examples:\n"
    "  plumbline validate --seconds 60\n"
    "  plumbline validate --programs 100000 --seed 7 --steps 20 --pass abc\n"
    "  plumbline validate --exhaustive\n"
    "  plumbline validate --programs 1000 --flip FUN-05\n"
    "  plumbline validate --rules --programs 2000\n\n"
    "exit codes: 0 nothing differs (--rules: each misreading is told), 1 something does, 2 usage, 3 harness failure, 4 "
    "nothing was validated, 130 "
    "interrupted: what was found\nuntil then is told";

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
  app.add_option("FILE", options.file, "a program")->required()->check(CLI::ExistingFile);
  add_pass(app, options.passes, "which passes: a, ab (default) or abc");
  app.add_option("--out", options.out, "a file to write to, instead of stdout");
  app.add_option("--profile", options.profile, "whose rules the body runs by")->capture_default_str();
  app.add_option("--flip", options.flip, "misread this rule (FUN-03) and see what comes of it");
}

void add_validate(CLI::App& app, validate::CommandOptions& options, functionalize::RulesOptions& rules) {
  app.footer(kValidate);
  auto* programs = app.add_option("--programs", options.run.programs, "so many random bodies (default: 100000)");
  app.add_option("--seconds", options.run.seconds, "for so long, instead")
      ->check(CLI::PositiveNumber)
      ->excludes(programs);
  app.add_option("--seed", options.run.seed, "the same seed, the same bodies")->capture_default_str();
  app.add_option("--steps", options.run.steps, "of each body")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_flag("--exhaustive", options.exhaustive, "every chain of views up to --length, a write through each view");
  app.add_option("--length", options.length, "of chains; one more over one small shape")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  add_pass(app, options.run.form, "one form alone: what these passes make (default: each of a, ab and abc)");
  app.add_option("--jobs", options.jobs, "threads")->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("--flip", options.flip, "misread this rule in the passes");
  app.add_option("--json", options.json, "a file for the result; - is stdout");
  app.add_flag("--rules", rules.asked, "misread each rule: which curated programs fall, how many bodies differ")
      ->excludes("--flip", "--exhaustive", "--seconds");
  app.add_option("--corpus", rules.corpus, "of those programs")->capture_default_str();
}

}  // namespace

int main(int argc, char** argv) {
  functionalize::Options functionalized;
  validate::CommandOptions validated;
  functionalize::RulesOptions rules;
  rules.corpus = PLUMBLINE_CORPUS "/functionalize";
  CLI::App app("Functionalization, executed and validated.", "plumbline");
  app.require_subcommand(1);
  CLI::App* functionalize = app.add_subcommand("functionalize", "A program's functionalized bodies, written out.");
  add_functionalize(*functionalize, functionalized);
  CLI::App* validate =
      app.add_subcommand("validate", "Functionalized bodies, held for all values against what they were.");
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
