// Holding a measurement against an earlier one, or against another implementation: what became slower.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/driver/race.h"
#include "bench/driver/saved.h"
#include "bench/driver/statistics.h"

namespace plumbline::bench {

/// What was measured of a case: times, and instructions where they were counted.
struct Sampled {
  std::vector<double> ns;
  std::optional<double> instructions;
};

enum class Change : std::uint8_t { none, slower, faster };

/// A case in both.
struct Compared {
  std::string id;
  Sampled base, fresh;
  double ratio = 1;   ///< of the medians, fresh to base; of pairs, the median of their ratios
  Interval interval;  ///< of the ratio, with 99 %
  double p = 1;       ///< of the rank test for a change into the direction of the ratio, corrected for all cases
  Change time = Change::none;
  Change instructions = Change::none;
  std::string error;  ///< why it could not be compared
};

/// How times are compared.
struct Judgement {
  double gate = 0.03;         ///< the share by which a case may become slower
  double time_gate = 0.03;    ///< the same for times, wider where the two were not measured together
  bool paired = true;         ///< samples at the same place were taken next to each other
  bool times = true;          ///< false: times say nothing here (another CPU)
  double significant = 0.01;  ///< the p, corrected, below which a rank test says that times changed
};

/// The ratio, its interval and its p, uncorrected: Wilcoxon's test and order statistics for pairs, Mann and Whitney's
/// and the bootstrap for what was measured at different times.
void judge_times(Compared& one, const Judgement& judgement);
/// Corrects every p and says what changed: the whole interval lies beyond the gate and the rank test says so, too.
void decide(std::vector<Compared>& cases, const Judgement& judgement);

struct Comparison {
  std::string base, fresh;  ///< what they are, in words
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
