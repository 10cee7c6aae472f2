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
    "Without --save, --against and --claims the command measures the table of rows beside every LibTorch that is "
    "built, and prints which targets\n"
    "are met. That takes at most ten minutes.\n"
    "  ratio         LibTorch's printed median divided by ours\n"
    "  target ≥ 35x  the ratio must be at least 35\n"
    "  tuned         the same against a LibTorch with a fast allocator, a fast BLAS and AVX-512, where they are here\n"
    "  biased        a target for a runtime whose reference counts need no atomic on the owning thread; it does not "
    "decide\n"
    "  floor         a prototype that does only what the semantics force\n\n"
    "--save keeps a measurement and a copy of its runner. --against measures that copy and the new one side by side. "
    "A case is a regression\n"
    "if it is slower than the gate allows, in time (a second measurement confirms that) or in instructions.\n\n"
    "--claims measures what the texts (the RFC, its drafts, the documentation) say about speed. Each claim is a few "
    "pairs of rows; each pair\n"
    "\"holds\", \"does not hold\" or is \"within noise\". A claim that does not hold is a finding, not a failure: the "
    "command still exits with 0.\n\n"
    "examples:\n"
    "  plumbline bench\n"
    "  plumbline bench --quick --filter '^add' --json table.json --svg ratios.svg\n"
    "  plumbline bench --claims                 # about three minutes; --quick halves that\n"
    "  plumbline bench --claims --filter 'bump|F-17' --json claims.json\n"
    "  plumbline bench --save before            # then change something, build, and\n"
    "  plumbline bench --against before\n"
    "  plumbline bench --against before --gate 5% --json comparison.json --svg comparison.svg\n"
    "  plumbline bench --on libtorch-2.13.0 --against libtorch-1.13.1    # two versions of PyTorch\n"
    "  plumbline bench --on 'process:./my_runner' --save mine            # bench/README.md has the protocol\n\n"
    "exit codes: 0 ran, 1 a regression, 2 usage or a malformed report, 3 harness failure, 4 nothing ran\n";

}  // namespace

int main(int argc, char** argv) {
  using namespace plumbline;
  CLI::App app("Measures the optimized runtime beside LibTorch, and finds regressions.", "plumbline");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("plumbline ") + PLUMBLINE_VERSION);
  int code = 0;

  bench::BenchOptions options;
  CLI::App* command = app.add_subcommand(
      "bench", "measure the table of rows or the texts' claims about speed, or compare a build with an earlier one");
  command->footer(kFooter);
  command->add_option(
      "--on", options.on,
      "what to measure: optimized, libtorch-VERSION or process:COMMAND (default: optimized and every LibTorch that is "
      "built; with --save and --against: optimized)");
  command->add_option(
      "--filter", options.filter,
      "measure the cases whose id or title matches this regular expression; with --claims, the claims whose name, "
      "sentence or words match it (default: all; with --save and --against, all but those of 16 M elements and the "
      "largest products)");
  command->add_option("--save", options.save, "measure, and keep the measurement under this name");
  command->add_option("--against", options.against,
                      "a saved name, a saved report's file or folder, or another implementation");
  command->add_option("--gate", options.gate, "how much slower a case may become")->capture_default_str();
  command->add_flag("--claims", options.claims, "measure what the texts say about speed");
  command->add_option("--store", options.store,
                      "the folder of saved measurements (default: bench-saved in the build folder)");
  command->add_option("--json", options.json,
                      "write the report as JSON to this file; - writes it to stdout instead of the text");
  command->add_option("--svg", options.svg, "draw the ratios, and how cost grows, to this file");
  command->add_flag("--quick", options.quick,
                    "measure only the rows with targets, or use fewer processes: about a minute");
  command->add_flag("--all", options.all, "with --against: print every case, not only those that changed");
  command->add_flag("--no-instructions", options.no_instructions, "do not count instructions");
  command->add_flag("--list", options.list, "list the cases, or with --claims the claims, and measure nothing");
  command->callback([&] {
    if (command->count("--filter") != 0 && options.filter.empty())
      throw std::runtime_error("--filter is empty; leave it out to measure everything");
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
