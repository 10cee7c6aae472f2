// plumbline-bench: the command `bench`.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "bench/driver/command.h"
#include "bench/driver/runner.h"
#include "oracle/verdict.h"
#include "support/command_line.h"
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
    "  floor         a prototype that does only what the semantics force\n"
    "  lazy cases    ours on the lazy device, beside LibTorch's lazy device and both eager ones, with the memory of a "
    "call\n\n"
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
    "  plumbline bench --filter lazy            # the lazy device beside eager and LibTorch's: two minutes\n"
    "  plumbline bench --claims                 # about three minutes; --quick halves that\n"
    "  plumbline bench --claims --filter 'bump|F-17' --json claims.json\n"
    "  plumbline bench --save before            # then change something, build, and\n"
    "  plumbline bench --against before\n"
    "  plumbline bench --against before --gate 5% --json comparison.json --svg comparison.svg\n"
    "  plumbline bench --on libtorch-2.13.0 --against libtorch-1.13.1    # two versions of PyTorch\n"
    "  plumbline bench --on 'process:./my_runner' --save mine            # bench/README.md has the protocol\n\n"
    "exit codes: 0 ran, 1 a regression, 2 usage or a malformed report, 3 harness failure, 4 nothing ran\n";

/// A name or a pattern that is given, but empty; no text if there is none.
std::string empty_value(const plumbline::Option& filter, const plumbline::Option& save,
                        const plumbline::Option& against, const plumbline::bench::BenchOptions& options) {
  if (filter.given() && options.filter.empty()) return "--filter is empty; leave it out to measure everything";
  if (save.given() && options.save.empty()) return "--save needs a name";
  if (against.given() && options.against.empty()) return "--against needs a name";
  return "";
}

void add_bench(plumbline::CommandLine& line, plumbline::bench::BenchOptions& options) {
  plumbline::Command& command = line.command(
      "bench", "measure the table of rows or the texts' claims about speed, or compare a build with an earlier one");
  command.footer(kFooter);
  command
      .option(
          "--on IMPLEMENTATION", options.on,
          "what to measure: optimized, libtorch-VERSION or process:COMMAND; with --save and --against also lazy and "
          "lazy-libtorch-VERSION")
      .shows_default("optimized and every LibTorch that is built; with --save and --against: optimized");
  const auto& filter =
      command
          .option("--filter REGEX", options.filter,
                  "measure the cases whose id or title matches this regular expression; with --claims, the claims "
                  "whose name, sentence or words match it")
          .shows_default("all; with --save and --against, all but those of 16 M elements and the largest products");
  const auto& save = command.option("--save NAME", options.save, "measure, and keep the measurement under this name");
  const auto& against = command.option("--against NAME", options.against,
                                       "a saved name, a saved report's file or folder, or another implementation");
  command.option("--gate PERCENT", options.gate, "how much slower a case may become");
  command.flag("--claims", options.claims, "measure what the texts say about speed");
  command.option("--store DIR", options.store, "the folder of saved measurements")
      .shows_default("bench-saved in the build folder")
      .completes("FILE");
  command.json(options.json);
  command.option("--svg FILE", options.svg, "draw the ratios, and how cost grows, to this file");
  command.flag("--quick", options.quick, "measure only the rows with targets, or use fewer processes: about a minute");
  command.flag("--all", options.all, "with --against: print every case, not only those that changed");
  command.flag("--no-instructions", options.no_instructions, "do not count instructions");
  command.flag("--list", options.list, "list the cases, or with --claims the claims, and measure nothing");
  command.check([&filter, &save, &against, &options] { return empty_value(filter, save, against, options); });
  command.runs([&options] { return plumbline::bench::bench_command(options); });
}

}  // namespace

int main(int argc, char** argv) {
  using namespace plumbline;
  CommandLine line("plumbline", "Measures the optimized runtime beside LibTorch, and finds regressions.");
  line.version(std::string("plumbline ") + PLUMBLINE_VERSION);
  bench::BenchOptions options;
  add_bench(line, options);
  cli::catch_interrupt();
  try {
    if (const auto code = line.parse(argc, argv)) return *code;
    return line.run();
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
}
