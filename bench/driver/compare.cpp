// What changed between two measurements, and the exit code.
#include "bench/driver/compare.h"

#include <algorithm>
#include <cmath>

#include "oracle/verdict.h"

namespace plumbline::bench {

namespace {

constexpr double kConfidence = 0.99;

void judge_pairs(Compared& one) {
  std::vector<double> logarithms(one.base.ns.size());
  std::ranges::transform(one.fresh.ns, one.base.ns, logarithms.begin(),
                         [](double fresh, double base) { return std::log(fresh / base); });
  one.ratio = std::exp(median(logarithms));
  const Interval interval = median_interval(logarithms, kConfidence);
  one.interval = {std::exp(interval.low), std::exp(interval.high)};
  if (one.ratio < 1)
    for (double& logarithm : logarithms) logarithm = -logarithm;
  one.p = signed_rank_p(logarithms);
}

void judge_apart(Compared& one) {
  one.ratio = median(one.fresh.ns) / median(one.base.ns);
  one.interval = ratio_interval(one.base.ns, one.fresh.ns, kConfidence);
  one.p = one.ratio >= 1 ? mann_whitney_p(one.base.ns, one.fresh.ns) : mann_whitney_p(one.fresh.ns, one.base.ns);
}

/// A runner that measured nothing gives times of 0.
bool has_times(const Compared& one) {
  const auto positive = [](const std::vector<double>& ns) {
    return !ns.empty() && std::ranges::all_of(ns, [](double value) { return value > 0; });
  };
  return positive(one.base.ns) && positive(one.fresh.ns);
}

Change change_of(double low, double high, double gate) {
  if (low > 1 + gate) return Change::slower;
  return high < 1 / (1 + gate) ? Change::faster : Change::none;
}

}  // namespace

void judge_times(Compared& one, const Judgement& judgement) {
  if (!has_times(one)) return;
  if (judgement.paired && one.base.ns.size() == one.fresh.ns.size()) {
    judge_pairs(one);
  } else {
    judge_apart(one);
  }
}

void decide(std::vector<Compared>& cases, const Judgement& judgement) {
  std::vector<double> p(cases.size());
  std::ranges::transform(cases, p.begin(), &Compared::p);
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Compared& one = cases[i];
    one.p = corrected[i];
    one.time = Change::none;
    if (judgement.times && has_times(one) && one.p < judgement.significant)
      one.time = change_of(one.interval.low, one.interval.high, judgement.time_gate);
    one.instructions = Change::none;
    if (one.base.instructions && one.fresh.instructions && *one.base.instructions > 0) {
      const double ratio = *one.fresh.instructions / *one.base.instructions;
      one.instructions = change_of(ratio, ratio, judgement.gate);
    }
  }
}

bool Comparison::regressed(const Compared& one) const {
  return one.error.empty() && (one.time == Change::slower || one.instructions == Change::slower);
}

std::size_t Comparison::regressions() const {
  return static_cast<std::size_t>(std::ranges::count_if(cases, [&](const Compared& one) { return regressed(one); }));
}

int Comparison::exit_code() const {
  if (interrupted) return kExitInterrupted;
  if (regressions() != 0) return 1;
  if (std::ranges::any_of(cases, [](const Compared& one) { return !one.error.empty(); })) return kExitHarness;
  return cases.empty() ? kExitNothing : 0;
}

}  // namespace plumbline::bench
