// The dispatcher's section of `plumbline check`: its curated programs, and LibTorch's tables.
#include <fmt/format.h>

#include "oracle/adapters/reference.h"
#include "oracle/cli/dispatch_commands.h"
#include "oracle/dispatcher/check_programs.h"
#include "oracle/dispatcher/compare.h"
#include "oracle/dispatcher/runner.h"
#include "oracle/siblings.h"
#include "oracle/verdict.h"
#include "reference/raise.h"

namespace plumbline::cli {

namespace {

/// What became of the programs on one implementation.
struct Counts {
  std::size_t passed = 0;
  std::size_t departs = 0;      ///< as its profile says that it does
  std::size_t unsupported = 0;  ///< they name keys that the version does not have, or meet the reference's limits
  std::size_t divergent = 0;
};

/// `trace`: how the implementation broke down, or what it did.
void judge_one(const dispatcher::CuratedDispatchTest& one, const DispatchResult& result, const reference::Judge& own,
               Counts& counts, bool verbose) {
  const std::string name = fmt::format("{}::{}", one.file, one.test.name);
  std::string why = dispatcher::key_out_of_reach(layout_of(own.profile), one.test.script);
  DispatchTrace right;
  try {
    right = reference::run(own, one.test.script);
  } catch (const reference::ReferenceLimit& limit) {
    why = limit.what();
  }
  if (!why.empty()) {
    ++counts.unsupported;
    if (verbose) fmt::print("  unsupported {}: {}\n", name, why);
    return;
  }
  if (const auto* broken = std::get_if<Breakdown>(&result)) {
    ++counts.divergent;
    fmt::print("  divergent  {}: {}\n", name, broken->message);
    return;
  }
  const DispatchTrace& trace = std::get<DispatchTrace>(result);
  const auto differs = dispatcher::compare(one.test.script, right, trace);
  const auto failures = dispatcher::failures(one.test, trace);
  if (differs) {
    ++counts.divergent;
    fmt::print("  divergent  {}: {}\n", name, differs->message);
  } else if (!failures.empty()) {
    ++counts.departs;
    if (verbose) fmt::print("  departs    {}: {}\n", name, failures.front());
  } else {
    ++counts.passed;
    if (verbose) fmt::print("  pass       {}\n", name);
  }
}

bool check_tables(const DumpSource& source) {
  const auto report = compare_tables(source, {profile_or_throw("torch-" + source.series)});
  fmt::print("{:<18} tables: {} operators × {} keys = {} entries, {} differ; {} constants, {} differ\n", source.name,
             report.operators, report.keys, report.entries, report.entries_differ.size(), report.constants,
             report.constants_differ.size());
  return report.agrees();
}

}  // namespace

int dispatch_check_command(const DispatchCheckOptions& options) {
  const auto programs = dispatcher::load_dispatch_programs(options.corpus);
  std::vector<std::string> names = options.on;
  if (names.empty()) {
    names.emplace_back("reference");
    for (const std::string& version : libtorch_versions(executable_folder())) names.push_back("libtorch-" + version);
  }
  bool good = true;
  for (const std::string& name : names) {
    Counts counts;
    const dispatcher::ProfiledRunner runner = dispatcher::runner_of(name, {});
    const reference::Judge own{runner.profile};
    std::vector<DispatchScript> scripts;
    for (const auto& one : programs) scripts.push_back(one.test.script);
    const std::vector<DispatchResult> results = runner.run(scripts);
    for (std::size_t i = 0; i < programs.size(); ++i) judge_one(programs[i], results[i], own, counts, options.verbose);
    fmt::print("{:<18} programs: {} of {} pass, {} depart as profile {} says, {} unsupported, {} divergent\n", name,
               counts.passed, programs.size(), counts.departs, name_of(own.profile), counts.unsupported,
               counts.divergent);
    good = good && counts.divergent == 0 && counts.passed > 0;
    if (name != "reference") good = check_tables(dump_source(name)) && good;
  }
  return good ? 0 : kExitDivergent;
}

}  // namespace plumbline::cli
