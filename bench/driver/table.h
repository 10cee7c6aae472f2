// The table of rows: ours beside each LibTorch, measured, and which targets are met.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/rows.h"

namespace plumbline::bench {

/// Nanoseconds of one run of a process, by side.
struct Beside {
  std::vector<double> ours, libtorch, floor;
  std::vector<double> eager = {}, libtorch_eager = {};  ///< of a lazy case: the same call on the CPU
};

/// Counted for one call.
struct Counts {
  std::optional<double> mallocs, kept, instructions;
  std::optional<double> peak = {};  ///< bytes in use at the peak of a call beyond what was before
};

/// One case, measured.
struct Row {
  Case what;
  const Target* target = nullptr;       ///< null: the row has no target
  std::map<std::string, Beside> stock;  ///< by LibTorch's version; "" for ours alone
  std::map<std::string, Beside> tuned;
  std::map<std::string, Counts> ours, libtorch;  ///< what was counted, by version
  std::map<std::string, Counts> eager, libtorch_eager;
  std::string error;  ///< why it was not measured to the end; empty: it was

  bool measured() const { return !stock.empty(); }
  /// How many times faster ours is than the fastest LibTorch as it comes, and whose run says so: the ratio of the two
  /// medians as they are printed.
  struct Ratio {
    double value = 0;
    std::string version;
    bool tuned = false;
  };
  std::optional<Ratio> ratio() const;
  /// The same against the fastest of all, tuned or not.
  std::optional<Ratio> tuned_ratio() const;
  /// The median of the floor in nanoseconds; if it was not measured, the floor that the target states.
  std::optional<double> floor_ns() const;
};

struct TableOptions {
  std::vector<std::string> versions;  ///< of LibTorch; empty: ours alone
  std::string filter;                 ///< a regular expression for ids and titles
  bool quick = false;                 ///< only the rows with targets, with fewer repetitions
};

struct TableReport {
  std::vector<std::string> versions;
  std::string cpu;
  int cpus = 1;
  std::string tuning;  ///< how LibTorch was tuned; empty: it was not
  bool instructions = false;
  std::vector<Row> rows;
  std::vector<std::string> notes;
  double seconds = 0;
  bool interrupted = false;

  const Row* row(const std::string& id) const;
  /// Whether the row reaches its target; empty if that is unknown.
  std::optional<bool> met(const Row& row) const;
  /// 0 ran, 3 a row could not be measured, 4 nothing ran, 130 interrupted.
  int exit_code() const;
};

/// Takes at most ten minutes. Throws std::runtime_error for a filter that is not a regular expression.
TableReport measure_table(const TableOptions& options);

std::string table_text(const TableReport& report);
std::string table_json(const TableReport& report);
/// The lazy cases beside eager: time and memory; empty if there is none.
std::string lazy_text(const TableReport& report);
/// The ratios of the rows with targets, and how cost grows, as a picture.
std::string table_svg(const TableReport& report);

}  // namespace plumbline::bench
