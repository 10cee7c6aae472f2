// plumbline-bench: the command `bench`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "bench/driver/command.h"
#include "bench/driver/runner.h"
#include "oracle/verdict.h"
#include "support/interrupt.h"

namespace {

constexpr const char* kFooter =
    "Without --save and --against it measures the table of rows beside every LibTorch that is built, in at most ten "
    "minutes, and says which targets are met.\n"
    "--save keeps a measurement and a copy of its runner; --against measures that copy and the new one side by side. "
    "What is slower than the gate allows, in time\n"
    "(confirmed by a second measurement) or in instructions, is a regression.\n\n"
    "examples:\n"
    "  plumbline bench\n"
    "  plumbline bench --quick --filter '^add' --json table.json --svg ratios.svg\n"
    "  plumbline bench --save before            # then change something, build, and\n"
    "  plumbline bench --against before\n"
    "  plumbline bench --against before --gate 5% --json comparison.json --svg comparison.svg\n"
    "  plumbline bench --on libtorch-2.13.0 --against libtorch-1.13.1    # two versions of PyTorch\n"
    "  plumbline bench --on 'process:./my_runner' --save mine            # bench/README.md has the protocol\n\n"
    "exit codes: 0 ran, 1 a regression, 2 usage or a malformed report, 3 harness failure, 4 nothing ran\n";

}  // namespace

int main(int argc, char** argv) {
  using namespace plumbline;
  CLI::App app("Measures the optimized runtime beside LibTorch, and guards against regressions.", "plumbline");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("plumbline ") + PLUMBLINE_VERSION);
  int code = 0;

  bench::BenchOptions options;
  CLI::App* command = app.add_subcommand("bench", "measure the table of rows, or hold a build against an earlier one");
  command->footer(kFooter);
  command->add_option(
      "--on", options.on,
      "optimized, libtorch-VERSION or process:COMMAND (default: the table beside every LibTorch that is "
      "built; with --save and --against: optimized)");
  command->add_option(
      "--filter", options.filter,
      "the cases whose id or title matches this regular expression (default: every one; with --save and "
      "--against all but those of 16 M elements and the largest products)");
  command->add_option("--save", options.save, "measure, and keep it under this name");
  command->add_option("--against", options.against,
                      "a saved name, a saved report's file or folder, or another implementation");
  command->add_option("--gate", options.gate, "by how much a case may become slower")->capture_default_str();
  command->add_option("--store", options.store,
                      "the folder of what is saved (default: bench-saved in the build folder)");
  command->add_option("--json", options.json,
                      "write the report as JSON to this file; - is stdout, in place of the text");
  command->add_option("--svg", options.svg, "write a picture of the ratios, and of how cost grows, to this file");
  command->add_flag("--quick", options.quick, "the rows with targets alone, or fewer processes: about a minute");
  command->add_flag("--all", options.all, "with --against: every case, not only those that changed");
  command->add_flag("--no-instructions", options.no_instructions, "count none: times alone");
  command->add_flag("--list", options.list, "list the cases");
  command->callback([&] {
    if (command->count("--filter") != 0 && options.filter.empty())
      throw std::runtime_error("--filter is empty; leave it out for every case");
    if (command->count("--save") != 0 && options.save.empty()) throw std::runtime_error("--save needs a name");
    if (command->count("--against") != 0 && options.against.empty()) throw std::runtime_error("--against needs a name");
    code = bench::bench_command(options);
  });

  cli::catch_interrupt();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == 0;  // --help, --version
    app.exit(error);
    return asked ? 0 : kExitUsage;
  } catch (const bench::Interrupted&) {
    fmt::print(stderr, "plumbline: interrupted\n");
    return kExitInterrupted;
  } catch (const bench::RunnerFailed& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return kExitHarness;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return kExitUsage;
  }
  return code;
}
