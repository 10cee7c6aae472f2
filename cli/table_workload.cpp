// `plumbline table workload`: measures what inference mode saves in an inference workload.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "oracle/verdict.h"
#include "support/files.h"
#include "tables/workload.h"

namespace plumbline::cli {

namespace {

using namespace tables;
using nlohmann::ordered_json;

std::string count_text(const std::optional<std::size_t>& count) { return count ? std::to_string(*count) : "-"; }

ordered_json count_json(const std::optional<std::size_t>& count) {
  return count ? ordered_json(*count) : ordered_json(nullptr);
}

std::string row_text(const std::string& implementation, std::string_view mode, const Measured& m) {
  return fmt::format("  {:<20}{:<16}{:>7}{:>9}{:>9}{:>11}{:>9}{:>8}{:>8}{:>9}\n", implementation, mode, m.calls,
                     count_text(m.kernels), m.tensors, count_text(m.inference), count_text(m.with_version),
                     count_text(m.writes), count_text(m.views), count_text(m.histories));
}

ordered_json mode_json(const Measured& m) {
  return {{"calls", m.calls},
          {"kernels", count_json(m.kernels)},
          {"tensors", m.tensors},
          {"inference_tensors", count_json(m.inference)},
          {"with_version_counter", count_json(m.with_version)},
          {"versions_counted", count_json(m.writes)},
          {"views_tracked", count_json(m.views)},
          {"with_grad_fn", count_json(m.histories)},
          {"asserts", m.asserts},
          {"reference", m.reference}};
}

}  // namespace

int workload_table(const TableOptions& options) {
  const std::vector<ModeWorkload> workloads = load_workloads(options.corpus + "/workload");
  std::vector<std::string> names{"reference"};
  for (const std::string& name : options.on)
    if (name != "reference") names.push_back(name);
  std::vector<std::unique_ptr<Adapter>> adapters;
  AdapterOptions adapter_options;
  adapter_options.flip = options.flip;
  for (const std::string& name : names) adapters.push_back(make_adapter(name, adapter_options));
  std::string text;
  ordered_json json{{"table", "workload"}, {"flip", options.flip}, {"workloads", ordered_json::array()}};
  std::size_t broken = 0;
  for (const ModeWorkload& workload : workloads) {
    text += fmt::format("{}\n  {:<20}{:<16}{:>7}{:>9}{:>9}{:>11}{:>9}{:>8}{:>8}{:>9}\n", workload.name, "", "", "calls",
                        "kernels", "tensors", "inference", "version", "writes", "views", "grad_fn");
    ordered_json runs = ordered_json::array();
    for (std::size_t i = 0; i < adapters.size(); ++i) {
      const WorkloadRun run = run_workload(workload, *adapters[i]);
      ordered_json modes;
      for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
        text += row_text(mode == 0 ? names[i] : "", kModes.at(mode), run.modes.at(mode));
        modes[std::string(kModes.at(mode))] = mode_json(run.modes.at(mode));
      }
      for (const std::string& line : run.broken) text += fmt::format("    BROKEN PROMISE: {}\n", line);
      broken += run.broken.size();
      runs.push_back({{"implementation", names[i]}, {"modes", modes}, {"broken", run.broken}});
    }
    text += "\n";
    json["workloads"].push_back({{"workload", workload.name}, {"runs", runs}});
  }
  text += fmt::format(
      "calls: calls of ops that take a tensor. kernels: kernels that these calls run, without fallthroughs (-: not "
      "shown).\ntensors: tensors in variables at the end. inference: inference tensors among them. version: tensors "
      "with a version counter.\nviews: tracked views. grad_fn: tensors with a grad_fn. writes: versions counted.\n"
      "The documentation promises equal results, bit for bit, in all modes. Inside inference mode it promises no "
      "grad_fn, no version counted,\nan inference tensor as the result, no version counter and no tracked view among "
      "inference tensors, and fewer kernels.\n{}.\n",
      broken == 0 ? "Every promise holds" : fmt::format("{} promises are broken", broken));
  print_result(text, json.dump(2) + "\n", options.json);
  return broken == 0 ? 0 : kExitDivergent;
}

}  // namespace plumbline::cli
