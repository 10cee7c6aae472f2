// Comparing a measurement with an earlier one, or with another implementation: what became slower.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/driver/race.h"
#include "bench/driver/saved.h"
#include "bench/driver/statistics.h"

namespace plumbline::bench {

/// A case as measured: times, and instructions if they were counted.
struct Sampled {
  std::vector<double> ns;
  std::optional<double> instructions;
};

enum class Change : std::uint8_t { none, slower, faster };

/// A case that both measurements have.
struct Compared {
  std::string id;
  Sampled base, fresh;
  double ratio = 1;   ///< of the medians, fresh to base; of pairs, the median of their ratios
  Interval interval;  ///< of the ratio, with 99 %
  double p = 1;  ///< of the rank test for a change in the direction of the ratio, corrected for the number of cases
  Change time = Change::none;
  Change instructions = Change::none;
  std::string error;  ///< why it could not be compared
};

/// How times are compared.
struct Judgement {
  double gate = 0.03;         ///< the share by which a case may become slower
  double time_gate = 0.03;    ///< the same for times; wider if the two were not measured together
  bool paired = true;         ///< samples with the same index were taken next to each other
  bool times = true;          ///< false: times cannot be compared (another CPU)
  double significant = 0.01;  ///< the p, corrected, below which a rank test says that times changed
};

/// The ratio, its interval and its uncorrected p: for pairs by Wilcoxon's test and order statistics, for measurements
/// of different times by Mann and Whitney's test and the bootstrap.
void judge_times(Compared& one, const Judgement& judgement);
/// Corrects every p and finds what changed: the whole interval is beyond the gate, and the rank test agrees.
void decide(std::vector<Compared>& cases, const Judgement& judgement);

struct Comparison {
  std::string base, fresh;  ///< their names
  Judgement judgement;
  std::string cpu;
  std::vector<Compared> cases;
  std::vector<std::string> only_base, only_fresh;
  std::vector<std::string> notes;
  double seconds = 0;
  bool interrupted = false;

  bool regressed(const Compared& one) const;
  std::size_t regressions() const;
  /// 130 interrupted, 1 something regressed, 3 a case failed, 4 nothing was compared, 0 otherwise.
  int exit_code() const;
};

std::string comparison_text(const Comparison& comparison, bool all);
std::string comparison_json(const Comparison& comparison);
/// The ratio of each case with its interval, as a picture.
std::string comparison_svg(const Comparison& comparison);

}  // namespace plumbline::bench
