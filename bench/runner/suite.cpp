// Making a suite of the rows, and comparing the sides of a case before anything is timed.
#include "bench/runner/suite.h"

#include <algorithm>
#include <stdexcept>

namespace plumbline::bench {

namespace {

std::string shown(const Outcome& outcome) {
  return "'" + outcome.what + "' with " + std::to_string(outcome.elements.size()) + " bytes";
}

/// How two outcomes differ, in words.
std::string difference(const Outcome& a, const Outcome& b) {
  if (a.what != b.what || a.elements.size() != b.elements.size()) return shown(a) + " and " + shown(b);
  const auto at = std::ranges::mismatch(a.elements, b.elements).in1 - a.elements.begin();
  return shown(a) + ", which differ at byte " + std::to_string(at);
}

}  // namespace

Suite suite_of_rows(std::string name, const std::vector<Side>& sides, bool lazy) {
  Suite suite;
  suite.name = std::move(name);
  for (const Case& one : cases()) {
    if (is_lazy(one) != lazy || std::ranges::none_of(sides, [&](const Side& side) { return is_on(one, side.name); }))
      continue;
    suite.entries.push_back({id_of(one), one.threads, items_of(one), is_countable(one), is_heavy(one), lazy});
  }
  for (const Side& side : sides) suite.sides.push_back(side.name);
  suite.make = [sides](const Entry& entry, const std::string& name) {
    const auto side = std::ranges::find(sides, name, &Side::name);
    return side == sides.end() ? nullptr : side->make(find_case(entry.id).value());
  };
  suite.use_threads = [sides](int count) {
    for (const Side& side : sides)
      if (side.use_threads != nullptr) side.use_threads(count);
  };
  suite.trim = [sides] {
    for (const Side& side : sides)
      if (side.trim != nullptr) side.trim();
  };
  return suite;
}

Prepared::Prepared(const Suite& suite, const Entry& entry, std::vector<std::string> sides)
    : entry_(&entry), sides_(std::move(sides)) {
  for (const std::string& side : sides_)
    if (auto workload = suite.make(entry, side)) workloads_.emplace_back(side, std::move(workload));
  if (workloads_.size() < 2) return;
  std::string first;
  Outcome expected;
  for (const auto& [side, workload] : workloads_) {
    Outcome outcome = workload->outcome();
    if (outcome.what.empty()) continue;  // a floor has no outcome
    if (first.empty()) {
      first = side;
      expected = std::move(outcome);
    } else if (outcome != expected) {
      throw std::runtime_error(entry.id + ": " + first + " and " + side +
                               " have different outcomes: " + difference(expected, outcome));
    }
  }
}

Workload* Prepared::on(const std::string& side) const {
  for (const auto& [name, workload] : workloads_)
    if (name == side) return workload.get();
  return nullptr;
}

}  // namespace plumbline::bench
