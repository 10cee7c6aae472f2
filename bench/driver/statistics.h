// Medians, their confidence intervals, and rank tests, which tell a change of times from noise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plumbline::bench {

/// The middle of at least one value; of an even number the mean of the two in the middle.
double median(std::vector<double> values);

struct Interval {
  double low = 0, high = 0;
};

/// An interval that holds the distribution's median with at least this confidence, by order statistics: it needs no
/// assumption about the distribution. With too few values (7 for 0.99, say) it is their whole range.
Interval median_interval(std::vector<double> values, double confidence);

/// The same for the ratio of two medians, by the bootstrap with a fixed seed.
Interval ratio_interval(std::span<const double> base, std::span<const double> fresh, double confidence);

/// The same where the values at the same place were taken one right after the other: pairs are drawn, not values.
Interval paired_ratio_interval(std::span<const double> base, std::span<const double> fresh, double confidence);

/// Wilcoxon's signed-rank test: the probability of differences as large as these or larger, if their signs are random.
/// Exact, with ties; differences of 0 are left out.
double signed_rank_p(std::span<const double> differences);

/// Mann and Whitney's test: the probability that `fresh` ranks as high above `base` or higher, if both have one
/// distribution. Exact, with ties, up to 60 values; the normal approximation beyond.
double mann_whitney_p(std::span<const double> base, std::span<const double> fresh);

/// Holm's correction of the probabilities of several tests.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace plumbline::bench
