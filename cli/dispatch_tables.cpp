// `plumbline dispatch-tables`: computes every operator's dispatch table, and compares it with LibTorch's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "cli/dispatch_commands.h"
#include "oracle/verdict.h"
#include "spec/rules/catalogue.h"
#include "support/files.h"
#include "support/siblings.h"

namespace plumbline::cli {

namespace {

using dispatcher::Difference;
using dispatcher::TableReport;

constexpr std::size_t kShown = 10;  ///< differences of each kind, without --all
constexpr std::string_view kLibtorch = "libtorch-";

void print_differences(const std::vector<Difference>& differences, bool all) {
  const std::size_t shown = all ? differences.size() : std::min(differences.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i)
    fmt::print("  {}\n    rules: {}\n    found: {}\n", differences[i].what, differences[i].rules, differences[i].found);
  if (shown < differences.size()) fmt::print("  … and {} more; --all shows them\n", differences.size() - shown);
}

std::string rules_text(const TableReport& report) {
  std::string text;
  for (const Rule* rule : kDispatchRules)
    if (report.decisions.mattered.test(rule->index())) text += (text.empty() ? "" : " ") + rule->id();
  return text;
}

void print_report(const TableReport& report, const DispatchTablesOptions& options) {
  fmt::print("  {:<24} {:>9}  {:>12}\n", "source of the entry", "entries", "fall through");
  for (std::size_t i = 0; i < report.by_source.size(); ++i) {
    const auto source = static_cast<EntrySource>(i);
    const std::string_view alias = source == EntrySource::non_functional ? ", NonFunctional" : "";
    fmt::print("  {:<24} {:>9}  {:>12}\n", fmt::format("{}{}", reference::words_of(source), alias), report.by_source[i],
               report.falls[i]);
  }
  fmt::print("  rules that mattered: {}\n", rules_text(report));
  print_differences(report.constants_differ, options.all);
  print_differences(report.entries_differ, options.all);
}

nlohmann::ordered_json json_of(const std::string& name, const std::string& profile, const TableReport& report) {
  nlohmann::ordered_json json{{"implementation", name}, {"profile", profile},        {"operators", report.operators},
                              {"keys", report.keys},    {"entries", report.entries}, {"constants", report.constants}};
  const auto list = [](const std::vector<Difference>& differences) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Difference& d : differences) all.push_back({{"what", d.what}, {"rules", d.rules}, {"found", d.found}});
    return all;
  };
  json["constants_differ"] = list(report.constants_differ);
  json["entries_differ"] = list(report.entries_differ);
  return json;
}

}  // namespace

DumpSource dump_source(const std::string& name) {
  const auto folder = executable_folder();
  const auto versions = libtorch_versions(folder);
  if (name.starts_with(kLibtorch)) {
    const std::string version = name.substr(kLibtorch.size());
    if (std::ranges::find(versions, version) != versions.end()) {
      const std::string series = version.substr(0, version.rfind('.'));
      if (layout_named(series) == nullptr)
        throw std::runtime_error(fmt::format("PyTorch {} has no layout in spec/vocabulary/key_layout.cpp", series));
      return {name, fmt::format("'{}/plumbline-libtorch-{}' --dispatcher", folder.string(), version), series};
    }
  }
  throw std::runtime_error(
      fmt::format("'{}' is not built here (built: {}). ./check builds every LibTorch that it finds", name,
                  versions.empty() ? "none" : fmt::format("libtorch-{}", fmt::join(versions, ", libtorch-"))));
}

TableReport compare_tables(const DumpSource& source, const reference::Judge& judge) {
  dispatcher::TableComparison comparison(judge, *layout_named(source.series));
  dispatcher::read_dump(
      source.command, [&](const dispatcher::DumpedKeys& keys) { comparison.constants(keys); },
      [&](const dispatcher::DumpedOperator& one) { comparison.one(one); });
  return comparison.report();
}

int dispatch_tables_command(const DispatchTablesOptions& options) {
  const Rule* flipped = rule_or_throw(options.flip);
  std::vector<DumpSource> sources;
  for (const std::string& name : options.on) sources.push_back(dump_source(name));
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string last;
  bool differs = false;
  const bool text = options.json != "-";
  for (const DumpSource& source : sources) {
    const std::string profile = options.profile.empty() ? "torch-" + source.series : options.profile;
    const auto start = std::chrono::steady_clock::now();
    const TableReport report = compare_tables(source, {profile_or_throw(profile), flipped});
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (text) {
      fmt::print("{} by the profile {}\n", source.name, profile);
      print_report(report, options);
    }
    last += fmt::format(
        "{}: {} operators × {} keys = {} entries compared, {} with a kernel, {} differ; {} constants compared, {} "
        "differ ({:.1f} s)\n",
        source.name, report.operators, report.keys, report.entries, report.kernels, report.entries_differ.size(),
        report.constants, report.constants_differ.size(), seconds.count());
    json.push_back(json_of(source.name, profile, report));
    differs = differs || !report.agrees();
  }
  print_result(last, json.dump(2) + "\n", options.json);
  return differs ? kExitDivergent : 0;
}

}  // namespace plumbline::cli
