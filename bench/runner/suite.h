// What a runner measures: its cases by name, and the workload of each side of a case.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/rows.h"
#include "bench/sides/sides.h"
#include "bench/workload.h"

namespace plumbline::bench {

struct Entry {
  std::string id;
  Threads threads = Threads::one;
  std::int64_t items = 1;  ///< how many things a call makes; a time is for one of them
  bool countable = true;   ///< whether its instructions are counted in acceptable time
  bool heavy = false;      ///< whether a measurement of it takes seconds
  bool process = false;    ///< whether the time of the whole process counts, since other threads do its work, too
};

struct Suite {
  std::string name;  ///< "optimized", "libtorch-2.13.0"
  std::vector<Entry> entries;
  std::vector<std::string> sides;
  /// Null if the side does not have the case.
  std::function<std::unique_ptr<Workload>(const Entry& entry, const std::string& side)> make;
  std::function<void(int count)> use_threads = [](int) {};
  std::function<void()> trim = [] {};
};

/// The table of bench/rows.h on these sides: the lazy cases, or all others.
Suite suite_of_rows(std::string name, const std::vector<Side>& sides, bool lazy = false);

/// The workloads of one case on some sides. The constructor checks that their outcomes are equal.
class Prepared {
 public:
  /// Throws std::runtime_error, which says what differs, if two sides have different outcomes.
  Prepared(const Suite& suite, const Entry& entry, std::vector<std::string> sides);

  const Entry& entry() const { return *entry_; }
  const std::vector<std::string>& sides() const { return sides_; }
  /// Null if the side does not have the case.
  Workload* on(const std::string& side) const;

 private:
  const Entry* entry_;
  std::vector<std::string> sides_;
  std::vector<std::pair<std::string, std::unique_ptr<Workload>>> workloads_;
};

}  // namespace plumbline::bench
