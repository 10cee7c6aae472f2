// The claims about speed, measured: each pair of rows on each side, and whether the claim holds there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/claims.h"
#include "bench/driver/launch.h"
#include "bench/driver/statistics.h"

namespace plumbline::bench {

/// Nanoseconds of the two rows of a pair on one side, a value for each process.
struct PairTimes {
  std::vector<double> left, right;
  std::string error;  ///< why it was not measured to the end; empty: it was
};

enum class Holds : std::uint8_t { yes, no, within_noise, not_there };
std::string_view name_of(Holds holds);

/// What the times of a pair say.
struct PairVerdict {
  double left_ns = 0, right_ns = 0;  ///< the medians, as they are printed
  double ratio = 1;                  ///< of these two
  Interval interval;                 ///< holds the ratio with 99 %
  Holds holds = Holds::not_there;
};

struct MeasuredPair {
  ClaimPair pair;
  std::map<std::string, PairTimes> sides;  ///< by name; a side that does not have one of the rows is not there
};

struct MeasuredClaim {
  const Claim* claim = nullptr;
  std::vector<MeasuredPair> pairs;
};

struct ClaimsReport {
  std::vector<std::string> sides;  ///< "ours", "LibTorch 2.13.0"
  std::string cpu;
  int cpus = 1;
  std::size_t rounds = 0;
  std::vector<MeasuredPair> controls;  ///< each row beside itself
  std::vector<MeasuredClaim> claims;
  std::vector<std::string> notes;
  double seconds = 0;
  bool interrupted = false;

  /// By how much a row beside itself differs on this side, at most. The intervals do not contain this difference, which
  /// comes from where code and operands lie.
  double margin(const std::string& side) const;
  PairVerdict verdict(const MeasuredPair& pair, const std::string& side) const;
  /// `no` where one pair does not hold, `yes` where each holds, `not_there` where the side has no pair.
  Holds verdict(const MeasuredClaim& claim, const std::string& side) const;
  /// 0 ran, whatever holds; 3 a pair could not be measured, 4 nothing ran, 130 interrupted.
  int exit_code() const;
};

/// A verdict needs the whole interval, widened by the margin, on one side of what the claim allows.
Holds judge(const ClaimPair& pair, const Interval& interval, double margin);

struct ClaimsOptions {
  std::vector<std::pair<std::string, Implementation>> sides;  ///< with the name that a side is shown by
  std::string filter;  ///< a regular expression for the names, sentences and words of claims
  bool quick = false;  ///< half as many processes
};
/// Throws std::runtime_error for a filter that is not a regular expression, and where a runner does not start.
ClaimsReport measure_claims(const ClaimsOptions& options);

std::string claims_text(const ClaimsReport& report);
std::string claims_json(const ClaimsReport& report);

}  // namespace plumbline::bench
