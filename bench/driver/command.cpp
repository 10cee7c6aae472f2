// The command `plumbline bench`: its options, its output and its exit code.
#include "bench/driver/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "bench/driver/against.h"
#include "bench/driver/claims_report.h"
#include "bench/driver/launch.h"
#include "bench/driver/table.h"
#include "bench/driver/units.h"
#include "oracle/verdict.h"
#include "support/files.h"

namespace plumbline::bench {

namespace {

constexpr std::string_view kLibtorch = "libtorch-";

/// Fails at once if a file that is written at the end cannot be written.
void check_writable(const std::string& option, const std::string& path) {
  if (path.empty() || path == "-") return;
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr)
    throw std::runtime_error(
        fmt::format("{} {}: cannot write this file; give a path in a folder that you may write", option, path));
  std::fclose(file);
}

/// Prints the text, or the JSON if its path is "-", and writes the files.
void deliver(const BenchOptions& options, const std::string& text, const std::string& json, const std::string& svg) {
  fmt::print("{}", options.json == "-" ? json : text);
  std::fflush(stdout);
  if (!options.json.empty() && options.json != "-") write_file(options.json, json);
  if (!options.svg.empty()) write_file(options.svg, svg);
}

int nothing_ran(const BenchOptions& options) {
  fmt::print(stderr, "plumbline: --filter '{}' matches no case; plumbline bench --list shows them\n", options.filter);
  return kExitNothing;
}

AgainstOptions against_options(const BenchOptions& options) {
  AgainstOptions one;
  one.on = options.on.empty() ? "optimized" : options.on;
  one.against = options.against;
  one.store = options.store.empty() ? default_store().string() : options.store;
  one.filter = options.filter;
  one.gate = share_of(options.gate);
  one.quick = options.quick;
  one.instructions = !options.no_instructions;
  return one;
}

int save_command(const BenchOptions& options) {
  check_name(options.save);
  const AgainstOptions measuring = against_options(options);
  const Measured measured = measure_for_later(measuring);
  for (const auto& [id, error] : measured.errors) fmt::print(stderr, "plumbline: {}: {}\n", id, error);
  for (const std::string& note : measured.notes) fmt::print(stderr, "note: {}\n", note);
  if (measured.interrupted) return fmt::print(stderr, "plumbline: interrupted, nothing was saved\n"), kExitInterrupted;
  if (measured.saved.cases.empty()) return measured.errors.empty() ? nothing_ran(options) : kExitHarness;
  save(measuring.store, options.save, measured.saved, measured.runner);
  fmt::print("saved {} cases of {} as {} in {}\n", measured.saved.cases.size(), measuring.on, options.save,
             measuring.store);
  return measured.errors.empty() ? 0 : kExitHarness;
}

int against_command(const BenchOptions& options) {
  const Comparison comparison = compare_against(against_options(options));
  if (comparison.cases.empty() && !comparison.interrupted) return nothing_ran(options);
  deliver(options, comparison_text(comparison, options.all), comparison_json(comparison), comparison_svg(comparison));
  return comparison.exit_code();
}

int table_command(const BenchOptions& options) {
  TableOptions table;
  table.filter = options.filter;
  table.quick = options.quick;
  table.versions = runner_versions();
  if (!options.on.empty()) {
    if (options.on != "optimized" && !options.on.starts_with(kLibtorch))
      throw std::runtime_error(fmt::format(
          "the table compares ours with LibTorch; use --on {} with --save, --against or --claims", options.on));
    implementation_of(options.on);
    table.versions.clear();
    if (options.on.starts_with(kLibtorch)) table.versions.push_back(options.on.substr(kLibtorch.size()));
  }
  const TableReport report = measure_table(table);
  if (report.rows.empty()) return nothing_ran(options);
  deliver(options, table_text(report), table_json(report), table_svg(report));
  if (table.versions.empty())
    fmt::print(stderr, "no LibTorch to compare with: none was asked for, or none is built here\n");
  return report.exit_code();
}

/// Ours and every LibTorch that is built, or what `--on` names.
std::vector<std::pair<std::string, Implementation>> claim_sides(const std::string& on) {
  std::vector<std::string> names{on};
  if (on.empty()) {
    names = {"optimized"};
    for (const std::string& version : runner_versions()) names.push_back(std::string(kLibtorch) + version);
  }
  std::vector<std::pair<std::string, Implementation>> sides;
  for (const std::string& name : names) {
    std::string shown = name == "optimized" ? "ours" : name;
    if (name.starts_with(kLibtorch)) shown = "LibTorch " + name.substr(kLibtorch.size());
    sides.emplace_back(std::move(shown), implementation_of(name));
  }
  return sides;
}

int claims_command(const BenchOptions& options) {
  if (!options.save.empty() || !options.against.empty() || !options.svg.empty())
    throw std::runtime_error("--claims does not go with --save, --against or --svg; leave one of them out");
  const ClaimsReport report = measure_claims({claim_sides(options.on), options.filter, options.quick});
  if (report.claims.empty()) {
    fmt::print(stderr, "plumbline: --filter '{}' matches no claim; plumbline bench --claims --list shows them\n",
               options.filter);
    return kExitNothing;
  }
  deliver(options, claims_text(report), claims_json(report), "");
  return report.exit_code();
}

int list_claims() {
  for (const Claim& claim : claims()) {
    fmt::print("{:<12} {} ({})\n", claim.name, claim.says, fmt::join(claim.sentences, ", "));
    for (const ClaimPair& pair : claim.pairs) fmt::print("{:<12}   {}\n", "", text_of(pair));
  }
  return 0;
}

int list_command() {
  for (const Case& one : cases()) {
    const auto target = std::ranges::find_if(targets(), [&](const Target& t) { return id_of(t.what) == id_of(one); });
    fmt::print("{:<32} {}\n", id_of(one), target == targets().end() ? "" : target->title);
  }
  return 0;
}

}  // namespace

int bench_command(const BenchOptions& options) {
  if (options.list) return options.claims ? list_claims() : list_command();
  if (!options.save.empty() && !options.against.empty())
    throw std::runtime_error("--save and --against do not go together; compare first, then save");
  check_writable("--json", options.json);
  check_writable("--svg", options.svg);
  share_of(options.gate);
  if (options.claims) return claims_command(options);
  if (!options.save.empty()) return save_command(options);
  return options.against.empty() ? table_command(options) : against_command(options);
}

}  // namespace plumbline::bench
