// The rows of the table: ratios, floors, targets.
#include "bench/driver/table.h"

#include <algorithm>

#include "bench/driver/statistics.h"
#include "bench/driver/units.h"
#include "oracle/verdict.h"

namespace plumbline::bench {

namespace {

void take_lowest(std::optional<Row::Ratio>& lowest, const std::map<std::string, Beside>& runs, bool tuned) {
  for (const auto& [version, run] : runs) {
    if (run.ours.empty() || run.libtorch.empty()) continue;
    const double value = as_shown(median(run.libtorch)) / as_shown(median(run.ours));
    if (!lowest || value < lowest->value) lowest = {value, version, tuned};
  }
}

}  // namespace

std::optional<Row::Ratio> Row::ratio() const {
  std::optional<Ratio> lowest;
  take_lowest(lowest, stock, false);
  return lowest;
}

std::optional<Row::Ratio> Row::tuned_ratio() const {
  std::optional<Ratio> lowest = ratio();
  take_lowest(lowest, tuned, true);
  return lowest;
}

std::optional<double> Row::floor_ns() const {
  std::vector<double> all;
  for (const auto& [version, run] : stock) all.insert(all.end(), run.floor.begin(), run.floor.end());
  if (!all.empty()) return median(all);
  if (target != nullptr && target->floor_ns > 0) return target->floor_ns;
  return std::nullopt;
}

const Row* TableReport::row(const std::string& id) const {
  const auto found = std::ranges::find_if(rows, [&](const Row& one) { return id_of(one.what) == id; });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<bool> TableReport::met(const Row& row) const {
  const auto ratio = row.ratio();
  if (row.target == nullptr || !ratio || !row.error.empty()) return std::nullopt;
  double asked = row.target->ratio;
  if (!row.target->as.empty()) {
    const Row* other = this->row(std::string(row.target->as));
    if (other == nullptr || !other->ratio()) return std::nullopt;
    asked = other->ratio()->value;
  }
  return ratio->value >= asked && row.tuned_ratio()->value >= row.target->tuned_ratio;
}

int TableReport::exit_code() const {
  if (interrupted) return kExitInterrupted;
  if (std::ranges::any_of(rows, [](const Row& one) { return !one.error.empty(); })) return kExitHarness;
  return std::ranges::any_of(rows, &Row::measured) ? 0 : kExitNothing;
}

}  // namespace plumbline::bench
