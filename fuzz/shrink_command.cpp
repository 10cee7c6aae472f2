// `plumbline shrink`: makes programs small that differ on an implementation, and writes them as reproducers.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/reference/reference.h"
#include "fuzz/campaign.h"
#include "fuzz/cases.h"
#include "fuzz/commands.h"
#include "fuzz/plain_file.h"
#include "language/parse.h"
#include "oracle/minimise.h"
#include "oracle/slice.h"
#include "support/progress.h"

namespace plumbline::fuzz {

namespace {

constexpr std::string_view kTest = "test_";  ///< how the name of every test begins

struct ShrinkOptions {
  std::vector<std::string> files;
  std::string on, out, profile;
  std::size_t runs = kShrinkCost;
  double timeout = 10;
  std::int64_t memory_limit = kMemoryLimit_mib;
  std::string level = std::string(name_of(Level::versions));
};

struct Named {
  std::string file;
  program::Test test;
};

/// The tests of the files, FILE::TEST for one of them.
std::vector<Named> programs_of(const std::vector<std::string>& paths) {
  std::vector<Named> found;
  for (const std::string& path : paths) {
    const std::size_t colons = path.rfind("::");
    const std::string file = path.substr(0, colons);
    const std::string wanted = colons == std::string::npos ? "" : path.substr(colons + 2);
    const std::size_t before = found.size();
    for (program::Test& test : program::lower(program::parse_file(file)))
      if (wanted.empty() || test.name == wanted) found.push_back({file, std::move(test)});
    if (found.size() == before)
      throw UsageError(fmt::format("{} has no {}; plumbline list programs {} lists its tests", file,
                                   wanted.empty() ? "test" : "test '" + wanted + "'", file));
  }
  return found;
}

bool reads(const Statement& statement) {
  return std::holds_alternative<Read>(statement.kind) || std::holds_alternative<ReadThread>(statement.kind);
}

/// The script with a snapshot in place of each run of readings: asserts of a program are two readings at times, of
/// which one alone says nothing. A reading that a Try ends with may raise, so it stays.
Script with_snapshots(const Script& script) {
  Script observed = script;
  std::vector<Statement>& all = observed.statements;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool may_raise = i + 1 < all.size() && std::holds_alternative<EndTry>(all[i + 1].kind);
    if (reads(all[i]) && !may_raise) all[i].kind = Snapshot{};
  }
  join_snapshots(observed);
  return observed;
}

/// Shrinks one program while it differs in the same way, and prints it.
Verdict shrink_one(const Named& one, Adapter& adapter, const reference::Judge& expected, const ShrinkOptions& options) {
  const Script script = slice(expected, with_snapshots(one.test.script), adapter.describe().has).script;
  const Held held = hold(adapter, expected, script);
  fmt::print("{}::{}: {}{}{}\n", one.file, one.test.name, name_of(held.comparison.verdict),
             held.comparison.message.empty() ? "" : ": ", held.comparison.message);
  if (held.comparison.verdict != Verdict::divergent) return held.comparison.verdict;
  const std::string signature = signature_of(held.comparison);
  std::size_t cost = 0, ran = 0;
  cli::Progress progress("shrinking " + one.test.name, options.runs);
  const auto differs_alike = [&](const Script& script) {
    if (interrupted || cost >= options.runs) return false;
    const std::string found = signature_on(adapter, expected, script);
    const std::size_t more = std::min(cost_of(found), options.runs - cost);
    for (std::size_t i = 0; i < more; ++i) progress.step();
    cost += more;
    ++ran;
    return found == signature;
  };
  const Minimised small = minimise(script, differs_alike, options.runs);
  const Description& d = adapter.describe();
  Case shrunk{{0, Verdict::divergent, signature, held.comparison.message, {}, 1, ""},
              {},
              ran,
              small.complete && !interrupted,
              ""};
  const std::string stem = fmt::format("{}_{}", one.test.name.substr(kTest.size()), stem_of(signature));
  std::vector<std::string> header{
      fmt::format("{} {} against the profile {}: {}", d.name, d.version, name_of(expected.profile), signature)};
  if (!options.out.empty())
    for (std::string& line : how_to_run(fmt::format("test_{}.py", stem), fmt::format("{} {}", d.name, d.version)))
      header.push_back(std::move(line));
  shrunk.reproducer = reproduce(small.script, expected, adapter, {stem, one.test.rules, header});
  if (!options.out.empty() && !shrunk.reproducer.text.empty()) {
    shrunk.file = fmt::format("{}/test_{}.py", options.out, stem);
    write_reproducer(shrunk.file, shrunk.reproducer.text);
    shrunk.plain = write_plain_file(shrunk.file, small.script, expected, adapter);
  }
  fmt::print("{}", text_of_shrunk(shrunk));
  return Verdict::divergent;
}

int run_shrink(const ShrinkOptions& options) {
  const AdapterOptions limits{options.profile.empty() ? "sound" : options.profile, "", options.timeout,
                              options.memory_limit, level_named(options.level)};
  const std::unique_ptr<Adapter> adapter = look_up([&] { return make_adapter(options.on, limits); });
  reference::Judge expected;
  expected.profile = look_up(
      [&] { return profile_or_throw(options.profile.empty() ? adapter->describe().profile : options.profile); });
  std::vector<Named> programs;
  try {
    programs = programs_of(options.files);
  } catch (const program::ProgramError& error) {
    throw UsageError(error.what());
  }
  Tally tally;
  for (const Named& one : programs) {
    if (interrupted) break;
    tally.add(shrink_one(one, *adapter, expected, options));
  }
  fmt::print("{}\n", tally.line());
  return tally.exit_code(false);
}

}  // namespace

void add_shrink(CommandLine& line) {
  const auto options = std::make_shared<ShrinkOptions>();
  Command& command =
      line.command("shrink", "make programs small that differ on an implementation, and write them as reproducers");
  command.argument("FILE", options->files, "programs, or FILE::TEST for one test of a program").required();
  command
      .option("--on IMPLEMENTATION", options->on,
              "the implementation on which the programs differ; see plumbline list implementations")
      .required();
  command.option("--profile PROFILE", options->profile, "compare with this profile")
      .shows_default("the implementation's own");
  command.option("--level LEVEL", options->level, std::string(kLevelHelp)).choices(level_names());
  command
      .option("--shrink-runs N", options->runs,
              "how many runs shrinking one program may take; a run that kills the process costs 10, one that hangs 200")
      .positive();
  command.out(options->out, kReproducers);
  command.option("--timeout S", options->timeout, "seconds for one program").positive();
  command
      .option("--memory-limit MIB", options->memory_limit,
              "MiB of memory for an adapter process and its descendants; 0: no limit")
      .range(0);
  command.footer(
      "A program is shrunk while it differs in the same way. Ctrl-C ends the search, and the smallest program so far "
      "is "
      "printed.\n\nexamples:\n  plumbline shrink found/test_graph_values_42.py --on compile-aot_eager --out small\n"
      "  plumbline shrink fuzz/corpus/test_memory.py::test_fill_of_an_expanded_tensor_is_allowed --on "
      "compile-aot_eager");
  command.runs([options] { return run_shrink(*options); });
}

}  // namespace plumbline::fuzz
