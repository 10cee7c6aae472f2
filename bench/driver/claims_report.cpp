// Whether the claims hold, by the times that were measured.
#include "bench/driver/claims_report.h"

#include <algorithm>

#include "bench/driver/units.h"
#include "oracle/verdict.h"

namespace plumbline::bench {

namespace {

constexpr double kConfidence = 0.99;
constexpr double kLeastMargin = 0.01;  // two rows of equal code differ by as much through their layout alone

PairVerdict measured(const PairTimes& times) {
  PairVerdict one;
  one.left_ns = as_shown(median(times.left));
  one.right_ns = as_shown(median(times.right));
  one.ratio = one.left_ns / one.right_ns;
  one.interval = paired_ratio_interval(times.right, times.left, kConfidence);
  return one;
}

bool is_measured(const PairTimes& times) {
  const auto positive = [](const std::vector<double>& ns) {
    return !ns.empty() && std::ranges::all_of(ns, [](double value) { return value > 0; });
  };
  return times.error.empty() && positive(times.left) && positive(times.right) &&
         times.left.size() == times.right.size();
}

/// What is asked of every measured pair of a report, the controls included.
bool any_pair(const ClaimsReport& report, bool (*asked)(const PairTimes&)) {
  const auto any_side = [&](const MeasuredPair& pair) {
    return std::ranges::any_of(pair.sides, [&](const auto& side) { return asked(side.second); });
  };
  return std::ranges::any_of(report.controls, any_side) ||
         std::ranges::any_of(report.claims,
                             [&](const MeasuredClaim& claim) { return std::ranges::any_of(claim.pairs, any_side); });
}

}  // namespace

std::string_view name_of(Holds holds) {
  switch (holds) {
    case Holds::yes:
      return "holds";
    case Holds::no:
      return "does not hold";
    case Holds::within_noise:
      return "within noise";
    default:
      return "not there";
  }
}

Holds judge(const ClaimPair& pair, const Interval& interval, double margin) {
  const double low = interval.low / (1 + margin);
  const double high = interval.high * (1 + margin);
  const double most = pair.limit;
  const double least = pair.relation == Relation::about ? 1 / pair.limit : 1;
  const bool below = pair.relation != Relation::at_least;  // whether there is an upper limit
  const bool above = pair.relation != Relation::at_most;   // whether there is a lower one
  if ((!below || high <= most) && (!above || low >= least)) return Holds::yes;
  if ((below && low > most) || (above && high < least)) return Holds::no;
  return Holds::within_noise;
}

double ClaimsReport::margin(const std::string& side) const {
  double margin = kLeastMargin;
  for (const MeasuredPair& control : controls)
    if (const auto times = control.sides.find(side); times != control.sides.end() && is_measured(times->second)) {
      const double ratio = measured(times->second).ratio;
      margin = std::max({margin, ratio - 1, 1 / ratio - 1});
    }
  return margin;
}

PairVerdict ClaimsReport::verdict(const MeasuredPair& pair, const std::string& side) const {
  const auto times = pair.sides.find(side);
  if (times == pair.sides.end() || !is_measured(times->second)) return {};
  PairVerdict one = measured(times->second);
  one.holds = judge(pair.pair, one.interval, margin(side));
  return one;
}

Holds ClaimsReport::verdict(const MeasuredClaim& claim, const std::string& side) const {
  Holds all = Holds::not_there;
  for (const MeasuredPair& pair : claim.pairs) {
    const Holds one = verdict(pair, side).holds;
    if (one == Holds::no) return Holds::no;
    if (one == Holds::within_noise || (one == Holds::yes && all == Holds::not_there)) all = one;
  }
  return all;
}

int ClaimsReport::exit_code() const {
  if (interrupted) return kExitInterrupted;
  if (any_pair(*this, [](const PairTimes& times) { return !times.error.empty(); })) return kExitHarness;
  return any_pair(*this, is_measured) ? 0 : kExitNothing;
}

}  // namespace plumbline::bench
