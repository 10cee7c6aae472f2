// The lazy cases beside the same calls on the CPU, as text.
#include <fmt/format.h>

#include "bench/driver/grid.h"
#include "bench/driver/statistics.h"
#include "bench/driver/table.h"
#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

constexpr const char* kNoValue = "-";
constexpr double kMiB = 1 << 20;

std::string shown(const std::vector<double>& ns) { return ns.empty() ? kNoValue : shown_time(median(ns)); }

std::string gained(const std::vector<double>& eager, const std::vector<double>& lazy) {
  if (eager.empty() || lazy.empty()) return kNoValue;
  return shown_ratio(as_shown(median(eager)) / as_shown(median(lazy)));
}

std::string peak(const std::map<std::string, Counts>& counted, const std::string& version) {
  const auto found = counted.find(version);
  if (found == counted.end() || !found->second.peak) return kNoValue;
  return fmt::format("{:.2f} MiB", *found->second.peak / kMiB);
}

}  // namespace

std::string lazy_text(const TableReport& report) {
  std::vector<std::vector<std::string>> times{{"lazy beside eager"}};
  std::vector<std::vector<std::string>> memory{{"at the peak of a call"}};
  for (const Row& row : report.rows)
    if (is_lazy(row.what))
      for (const auto& [version, run] : row.stock) {
        const std::string id = id_of(row.what) + (version.empty() ? "" : ", beside " + version);
        times.push_back({id, shown(run.eager), shown(run.ours), gained(run.eager, run.ours), shown(run.libtorch_eager),
                         shown(run.libtorch), gained(run.libtorch_eager, run.libtorch)});
        if (row.ours.contains(version))
          memory.push_back({id, peak(row.eager, version), peak(row.ours, version), peak(row.libtorch_eager, version),
                            peak(row.libtorch, version)});
      }
  if (times.size() == 1) return "";
  times[0].insert(times[0].end(), {"eager", "lazy", "eager/lazy", "LibTorch eager", "LibTorch lazy", "eager/lazy"});
  memory[0].insert(memory[0].end(), {"eager", "lazy", "LibTorch eager", "LibTorch lazy"});
  return "\n" + grid(times) + (memory.size() == 1 ? "" : "\n" + grid(memory));
}

}  // namespace plumbline::bench
