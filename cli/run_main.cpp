// plumbline-run: the commands `run`, `check`, `list`, `table` and `explain`.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "adapters/adapter.h"
#include "adapters/implementations.h"
#include "cli/commands.h"
#include "oracle/verdict.h"
#include "support/command_line.h"
#include "support/interrupt.h"
#include "support/siblings.h"

namespace {

using namespace plumbline::cli;
using plumbline::Command;
using plumbline::CommandLine;

constexpr const char* kCorpus = "fuzz/corpus";
constexpr const char* kKnown = "waivers.json and findings.json in the corpus";

void add_corpus(Command& command, std::string& corpus, const char* what = "the folder of the curated programs") {
  corpus = PLUMBLINE_CORPUS;
  command.option("--corpus DIR", corpus, what).shows_default(kCorpus).completes("FILE");
}

void add_waivers(Command& command, std::string& waivers) {
  command.option("--waivers FILE", waivers, "the file of known divergences").shows_default(kKnown);
}

void add_common(Command& command, CommonOptions& options) {
  command.json(options.json);
  command.jobs(options.jobs);
  const plumbline::Option& verbose = command.verbose(options.verbose);
  command.quiet(options.quiet).excludes(verbose);
  command
      .option("--timeout S", options.timeout_s,
              "seconds for one program; a program that hangs is tried again with twice as many")
      .positive();
  command
      .option("--memory-limit MIB", options.memory_limit_mib,
              "MiB of memory for an adapter process and its descendants; a process that uses more is killed; 0: no "
              "limit")
      .range(0);
  add_corpus(command, options.corpus);
  add_waivers(command, options.waivers);
  command.flag("--require-all", options.require_all, "exit with 1 unless every test passes");
}

void complete(TableOptions& table) {
  if (table.on.empty()) {
    if (table.what == "functionalize-inference-mode") table.on.emplace_back("optimized");
    for (const std::string& version : plumbline::libtorch_versions(plumbline::executable_folder()))
      table.on.push_back("libtorch-" + version);
  } else {
    table.on = plumbline::adapter_names(table.on);
  }
  std::erase(table.on, "none");
}

constexpr const char* kExplainFooter =
    "A rule is printed at a statement if its misreading would show there. `above`: rules that were already shown "
    "above.\n`usual`: rules that every program without guards and gradients meets.\n"
    "`Autocast*` and `Autograd*` stand for all keys of that family. JSON has every rule.\n"
    "What a rule of the dispatcher's tables decides may show long after the kernel was registered; the rule is printed "
    "where it shows.\n\n"
    "examples:\n"
    "  plumbline explain test_mine.py\n"
    "  plumbline explain test_mine.py::test_view --line 12 --all\n"
    "  plumbline explain test_mine.py --on libtorch-2.13.0 --profile sound\n"
    "  plumbline explain fuzz/corpus/dispatcher/test_calls.py --on libtorch-2.13.0\n"
    "  plumbline explain test_mine.py::test_view --on compile-aot_eager --file plain.py\n"
    "  plumbline explain test_mine.py --json\n\n"
    "Verdicts and exit codes are those of `plumbline run FILE --on reference,IMPLEMENTATION`.\n";

constexpr const char* kRunFooter =
    "A script without tests, and a test that uses more of Python than programs have, are recorded first (plumbline "
    "record "
    "--help).\nA test that cannot be recorded either is unsupported, and its error is printed.\n\n"
    "examples:\n"
    "  plumbline run test_mine.py --on reference,libtorch-2.13.0\n"
    "  plumbline run fuzz/corpus/functionalize --on reference --flip FUN-03\n"
    "  plumbline run fuzz/corpus --on optimized,libtorch-2.13.0 --quiet\n"
    "  plumbline run test_mine.py --on 'process:python my_backend.py' --json report.json --require-all\n";

void add_run(CommandLine& line, RunOptions& run) {
  Command& command = line.command("run", "run programs on implementations, and compare them with the reference");
  command.footer(kRunFooter);
  command
      .argument("FILE", run.paths,
                "programs or scripts, FILE::TEST for one test, or folders that hold programs test_*.py")
      .required();
  command.option("--on IMPLEMENTATION", run.on,
                 "implementations, separated by commas: reference, optimized, libtorch-VERSION, python, …, process:CMD "
                 "(CMD is the rest of the argument, with its commas); see plumbline list implementations");
  command
      .option("--profile PROFILE", run.profile,
              "the profile of the reference; to compare another implementation, the default is the profile that it "
              "names")
      .shows_default("sound");
  command.option("--level LEVEL", run.level, std::string(plumbline::kLevelHelp)).choices(plumbline::level_names());
  command.option("--flip RULE", run.flip, "a rule that the reference follows in its misreading, for example INF-03");
  command.flag(
      "--graph", run.graph,
      "on optimized-cuda and optimized-cuda-host, record each functionalized body and do it as one graph: the same "
      "as --on optimized-cuda-graph");
  add_common(command, run.common);
  command.runs([&] {
    run.on = plumbline::adapter_names(run.on);
    if (run.graph) run.on = plumbline::with_graphs(run.on);
    return run_command(run);
  });
}

void add_check(CommandLine& line, CheckOptions& check) {
  Command& command =
      line.command("check", "run the curated programs on the reference, optimized and every LibTorch that is built");
  command.footer("examples:\n  plumbline check\n  plumbline check -v\n  plumbline check --json check.json\n");
  add_common(command, check.common);
  command.out(check.report, "check.txt and check.json, which have everything", "--report")
      .shows_default("report, beside the build's folder");
  command.runs([&] { return check_command(check); });
}

void add_list(CommandLine& line, ListOptions& list) {
  Command& command = line.command("list", "list the rules, laws, programs, ops, profiles, errors or implementations");
  command.footer(
      "examples:\n  plumbline list rules\n  plumbline list rules INF-06 VIEW\n  plumbline list ops 'add*'\n"
      "  plumbline list programs '*version*' --json\n");
  command.argument("WHAT", list.what, "what to list")
      .required()
      .choices({"rules", "laws", "programs", "ops", "profiles", "errors", "implementations"});
  command
      .argument("NAME", list.names,
                "only these: a rule's id (printed whole, with programs and waivers) or family; for anything else its "
                "name, in which * stands for anything")
      .completes("NAME");
  add_waivers(command, list.waivers);
  add_corpus(command, list.corpus);
  command.json(list.json);
  command.runs([&] { return list_command(list); });
}

void add_table(CommandLine& line, TableOptions& table) {
  Command& command = line.command("table", "print a table that is computed from rules and programs");
  command.footer(
      "examples:\n  plumbline table inference-mode\n  plumbline table inference-mode --flip INF-04\n"
      "  plumbline table migration --on libtorch-2.13.0\n  plumbline table functionalize-inference-mode\n  "
      "plumbline table workload\n  plumbline table ideal\n  "
      "plumbline table coverage > docs/COVERAGE.md\n  plumbline table language > docs/LANGUAGE.md\n");
  command.argument("WHAT", table.what, "the table").required().choices(table_names());
  add_corpus(command, table.corpus);
  command
      .option(
          "--on IMPLEMENTATION", table.on,
          "implementations that also run the programs, separated by commas; none: only the rules; see plumbline list "
          "implementations")
      .shows_default("every LibTorch that is built");
  command.option("--flip RULE", table.flip, "a rule to misread, for example INF-04");
  command.json(table.json);
  command.runs([&] {
    complete(table);
    return table_command(table);
  });
}

void add_explain(CommandLine& line, ExplainOptions& explain) {
  Command& command = line.command("explain", "show for each statement of a program which rules decided, and why");
  command.footer(kExplainFooter);
  command.argument("FILE", explain.program, "a program, FILE::TEST for one of its tests, or a folder of programs")
      .required();
  command.option(
      "--on IMPLEMENTATION", explain.on,
      "implementations to compare with the reference, separated by commas: libtorch-VERSION, python, …, process:CMD; "
      "see plumbline list implementations");
  command
      .option("--profile PROFILE", explain.profile,
              "the profile of the reference; to judge another implementation, the default is the profile that it names")
      .shows_default("sound");
  command.option("--line N", explain.line, "only the statements of this line").positive();
  command.flag("--all", explain.all, "show every rule that a statement consulted, and how much it mattered");
  command.option("--file OUT.py", explain.file,
                 "write a file that shows the difference under plain Python, without Plumbline; for one test and one "
                 "implementation that captures graphs");
  add_corpus(command, explain.corpus, "the folder whose waivers.json and findings.json explain divergences");
  command.json(explain.json);
  command.runs([&] { return explain_command(explain); });
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("plumbline", "Runs programs on implementations and compares them; explains and lists rules.");
  line.version(std::string("plumbline ") + PLUMBLINE_VERSION);
  RunOptions run;
  CheckOptions check;
  ListOptions list;
  TableOptions table;
  ExplainOptions explain;
  add_run(line, run);
  add_check(line, check);
  add_list(line, list);
  add_table(line, table);
  add_explain(line, explain);
  catch_interrupt();
  try {
    if (const auto code = line.parse(argc, argv)) return *code;
    return line.run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::kExitUsage;
  }
}
