// plumbline-sweep: the command `plumbline sweep`.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <thread>

#include "support/command_line.h"
#include "support/exit_codes.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/progress.h"
#include "support/siblings.h"
#include "sweep/changes.h"
#include "sweep/plain_file.h"
#include "sweep/sweep.h"

namespace {

using namespace plumbline;

constexpr std::string_view kCaller = "plumbline-sweep-";  ///< followed by what it calls
constexpr const char* kHelp =
    "Every operator that the implementation registers is called with arguments that are found from its schema, in "
    "several\n"
    "settings: with grad mode off, inside inference mode, on inference tensors, on the device meta, with other "
    "strides.\n"
    "The laws then judge what was seen: what a schema says of writes and aliases, and what inference mode promises, "
    "whatever\n"
    "the operator computes. docs/SWEEP.md describes the laws, and how another implementation is swept.\n\n"
    "examples:\n"
    "  plumbline sweep --on libtorch-2.13.0\n"
    "  plumbline sweep 'aten::add*' 'aten::index_*' --on libtorch-2.13.0 -v\n"
    "  plumbline sweep --on libtorch-2.13.0 --json sweep.json --out found\n"
    "  plumbline sweep --on libtorch-2.13.0 --against libtorch-1.13.1\n"
    "  plumbline sweep --on python --import my_ops          # the operators that a module of yours registers\n"
    "  plumbline sweep --on python --device cuda\n"
    "  plumbline sweep --on optimized\n"
    "  plumbline sweep --on libtorch-2.13.0 --accepted taken.jsonl\n"
    "  plumbline sweep --on libtorch-2.13.0 --samples taken.jsonl --tries 0\n"
    "  plumbline sweep --on 'process:my_caller --fast'\n\n"
    "exit codes: 0 no law is broken, 1 a law is broken or a call crashed, 2 usage, 3 harness failure, 4 nothing was "
    "called";

struct Options {
  std::string on;
  sweep::SweepOptions sweep;
  double timeout_s = 10;
  std::string against, json, out, samples, accepted;
  std::string module, device;  ///< of `--on python`
  bool verbose = false, without_samples = false;
};

/// The command line of the caller that `on` names. Throws std::runtime_error if it is not here.
std::vector<std::string> words_of(const std::string& on, const Options& options) {
  if (on.starts_with("process:")) return shell_words(on.substr(8));
  std::vector<std::string> here;
  for (const std::string_view name : {"optimized", "python"})
    if (std::filesystem::exists(executable_folder() / fmt::format("{}{}", kCaller, name))) here.emplace_back(name);
  for (const std::string& version : libtorch_versions(executable_folder(), fmt::format("{}libtorch-", kCaller)))
    here.push_back("libtorch-" + version);
  for (const std::string& name : here) {
    if (on != name) continue;
    std::vector<std::string> words{(executable_folder() / fmt::format("{}{}", kCaller, name)).string()};
    if (name == "python" && !options.module.empty()) words.insert(words.end(), {"--import", options.module});
    if (name == "python" && !options.device.empty()) words.insert(words.end(), {"--device", options.device});
    return words;
  }
  here.emplace_back("process:COMMAND");
  throw std::runtime_error(fmt::format("'{}' cannot be swept here; name {}", on, fmt::join(here, ", ")));
}

/// A file for each finding.
void write_files(const sweep::SweepReport& report, const Options& options) {
  const std::filesystem::path folder = options.out;
  const sweep::PlainSource source{report.version, options.module, options.device.empty() ? "cpu" : options.device};
  std::filesystem::create_directories(folder);
  for (const sweep::Finding& finding : report.findings) {
    const auto op = std::ranges::find(report.operators, finding.op, &sweep::Operator::full_name);
    const sweep::PlainPeers peers{twin_of(*op, report.operators), view_of(*op, report.operators)};
    write_file(folder / file_name(finding), plain_file(*op, peers, finding, source));
  }
}

sweep::SweepReport swept(const std::string& on, const Options& options) {
  const std::vector<std::string> words = words_of(on, options);
  cli::ProgressLine line;
  return sweep::sweep([&] { return std::make_unique<sweep::ProcessCaller>(words, options.timeout_s); }, options.sweep,
                      [&](std::size_t done, std::size_t all) {
                        if (line.is_due())
                          line.show(static_cast<double>(done) / static_cast<double>(all),
                                    fmt::format("{}: {} of {} operators", on, done, all));
                      },
                      cli::interrupted);
}

/// The arguments that Plumbline keeps, and the user's own.
std::shared_ptr<const sweep::Samples> samples_of(const Options& options) {
  sweep::Samples all;
  if (!options.samples.empty()) all = sweep::read_samples(options.samples);
  if (!options.without_samples) add(all, sweep::read_samples(PLUMBLINE_SWEEP_SAMPLES));
  return std::make_shared<const sweep::Samples>(std::move(all));
}

int sweep_command(Options options) {
  options.sweep.samples = samples_of(options);
  if (!options.against.empty()) words_of(options.against, options);  // before the first sweep takes its minutes
  const sweep::SweepReport report = swept(options.on, options);
  std::string text = sweep::to_text(report, options.on, options.verbose);
  nlohmann::ordered_json json = sweep::to_json(report, options.sweep, options.on);
  if (!options.against.empty()) {
    const sweep::SweepReport before = swept(options.against, options);
    const sweep::Changes changes = sweep::changes(before, report);
    text += sweep::to_text(changes, options.against, options.on, options.verbose);
    json["against"] = sweep::to_json(before, options.sweep, options.against);
    json["since"] = sweep::to_json(changes);
  }
  print_result(text, json.dump(1) + "\n", options.json);
  if (!options.accepted.empty())
    write_file(options.accepted,
               samples_text(report.accepted, fmt::format("what {} took: plumbline sweep --accepted", options.on)));
  if (!options.out.empty()) write_files(report, options);
  if (report.called == 0) return kExitNothing;
  return report.findings.empty() ? 0 : kExitDivergent;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.sweep.jobs = std::max(1U, std::thread::hardware_concurrency());
  CommandLine line("plumbline sweep", "call every operator of an implementation, and judge it by its schema");
  line.footer(kHelp);
  line.argument("OPERATOR", options.sweep.operators, "full names, with * for anything; without one, all operators");
  line.option("--on IMPLEMENTATION", options.on,
              "what to sweep: optimized, libtorch-VERSION, python, or process:COMMAND")
      .required()
      .completes("IMPLEMENTATION");
  line.option("--against IMPLEMENTATION", options.against,
              "another release, swept too: what changed from it in any law")
      .completes("IMPLEMENTATION");
  line.option("--import MODULE", options.module,
              "with --on python: a module of yours, by name or as FILE.py, whose operators are swept");
  line.option("--device DEVICE", options.device, "with --on python: the device of every tensor (default: cpu)");
  line.option("--tries N", options.sweep.tries, "candidates for an operator, before it is left").range(0);
  line.option("--wanted N", options.sweep.wanted, "how many choices of arguments of an operator are judged").range(1);
  line.option("--samples FILE", options.samples, "arguments of your own, tried before candidates: an experiment a line")
      .completes("FILE");
  line.flag("--without-samples", options.without_samples, "do not try the arguments that Plumbline keeps");
  line.option("--accepted FILE", options.accepted, "write the arguments that were taken, for a later --samples")
      .completes("FILE");
  line.option("--timeout S", options.timeout_s, "seconds for one call").positive();
  line.seed(options.sweep.seed);
  line.jobs(options.sweep.jobs);
  line.json(options.json);
  line.out(options.out, "a Python file for each finding, which needs PyTorch alone");
  line.verbose(options.verbose);
  if (const auto code = line.parse(argc, argv)) return *code;
  if (options.on != "python" && !(options.module.empty() && options.device.empty())) {
    fmt::print(stderr,
               "plumbline sweep: --import and --device are for --on python; give them to process:COMMAND itself\n");
    return kExitUsage;
  }
  cli::catch_interrupt();
  try {
    return sweep_command(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline sweep: {}\n", error.what());
    return kExitHarness;
  }
}
