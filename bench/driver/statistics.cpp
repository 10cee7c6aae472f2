// Medians, their confidence intervals, and rank tests, which tell a change of times from noise.
#include "bench/driver/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace plumbline::bench {

namespace {

constexpr std::size_t kExact = 60;
constexpr int kResamples = 2000;
constexpr std::uint64_t kSeed = 20240607;

/// Twice the rank of each value among all, ties sharing the mean of theirs: whole numbers.
std::vector<std::size_t> doubled_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<std::size_t> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = begin + 1 + end;  // (begin + 1 … end) / 2, doubled
    begin = end;
  }
  return ranks;
}

double upper_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

double normal_mann_whitney(const std::vector<std::size_t>& ranks, std::size_t base, double observed) {
  const auto n = static_cast<double>(ranks.size());
  const auto fresh = n - static_cast<double>(base);
  double squares = 0;
  for (const std::size_t rank : ranks) squares += std::pow(static_cast<double>(rank) - (n + 1), 2);
  const double deviation = std::sqrt(squares * fresh * static_cast<double>(base) / (n * (n - 1)));
  return deviation == 0 ? 1 : upper_tail((observed - fresh * (n + 1)) / deviation);
}

/// The middle part of the ratios, with this share of them.
Interval central(std::vector<double> ratios, double confidence) {
  std::ranges::sort(ratios);
  const auto cut = static_cast<std::size_t>((1 - confidence) / 2 * static_cast<double>(ratios.size()));
  return {ratios[cut], ratios[ratios.size() - 1 - cut]};
}

}  // namespace

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Interval median_interval(std::vector<double> values, double confidence) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  // How often fewer than k of n values lie below the median: a binomial tail. As many values are cut off at both ends
  // as that allows.
  double term = std::pow(0.5, static_cast<double>(n));
  double tail = term;
  std::size_t cut = 0;
  while (2 * tail <= 1 - confidence && 2 * (cut + 1) < n) {
    ++cut;
    term *= static_cast<double>(n - cut + 1) / static_cast<double>(cut);
    tail += term;
  }
  if (cut > 0) --cut;
  return {values[cut], values[n - 1 - cut]};
}

Interval ratio_interval(std::span<const double> base, std::span<const double> fresh, double confidence) {
  std::mt19937_64 random(kSeed);
  const auto resampled = [&](std::span<const double> values) {
    std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
    std::vector<double> sample(values.size());
    std::ranges::generate(sample, [&] { return values[pick(random)]; });
    return median(std::move(sample));
  };
  std::vector<double> ratios(kResamples);
  std::ranges::generate(ratios, [&] { return resampled(fresh) / resampled(base); });
  return central(std::move(ratios), confidence);
}

Interval paired_ratio_interval(std::span<const double> base, std::span<const double> fresh, double confidence) {
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<std::size_t> pick(0, base.size() - 1);
  std::vector<double> bases(base.size());
  std::vector<double> freshes(base.size());
  std::vector<double> ratios(kResamples);
  std::ranges::generate(ratios, [&] {
    for (std::size_t i = 0; i < base.size(); ++i) {
      const std::size_t at = pick(random);
      bases[i] = base[at];
      freshes[i] = fresh[at];
    }
    return median(freshes) / median(bases);
  });
  return central(std::move(ratios), confidence);
}

double signed_rank_p(std::span<const double> differences) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences)
    if (difference != 0) {
      sizes.push_back(std::abs(difference));
      positive.push_back(difference > 0);
    }
  if (sizes.empty()) return 1;
  const std::vector<std::size_t> ranks = doubled_ranks(sizes);
  const std::size_t most = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::size_t observed = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) observed += positive[i] ? ranks[i] : 0;
  // chance[s]: that the ranks with a positive sign sum to s.
  std::vector<double> chance(most + 1, 0.0);
  chance[0] = 1;
  for (const std::size_t rank : ranks)
    for (std::size_t sum = most + 1; sum-- > 0;)
      chance[sum] = 0.5 * (chance[sum] + (sum >= rank ? chance[sum - rank] : 0));
  return std::min(1.0, std::accumulate(chance.begin() + static_cast<std::ptrdiff_t>(observed), chance.end(), 0.0));
}

double mann_whitney_p(std::span<const double> base, std::span<const double> fresh) {
  if (base.empty() || fresh.empty()) return 1;
  std::vector<double> all(base.begin(), base.end());
  all.insert(all.end(), fresh.begin(), fresh.end());
  const std::vector<std::size_t> ranks = doubled_ranks(all);
  const std::size_t observed =
      std::accumulate(ranks.begin() + static_cast<std::ptrdiff_t>(base.size()), ranks.end(), std::size_t{0});
  if (all.size() > kExact) return normal_mann_whitney(ranks, base.size(), static_cast<double>(observed));
  const std::size_t most = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  // ways[k][s]: how many choices of k values have ranks that sum to s; as a share of all choices in the end.
  std::vector<std::vector<double>> ways(fresh.size() + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks)
    for (std::size_t k = fresh.size(); k >= 1; --k)
      for (std::size_t sum = most; sum >= rank; --sum) ways[k][sum] += ways[k - 1][sum - rank];
  const std::vector<double>& chosen = ways[fresh.size()];
  const double total = std::accumulate(chosen.begin(), chosen.end(), 0.0);
  return std::accumulate(chosen.begin() + static_cast<std::ptrdiff_t>(observed), chosen.end(), 0.0) / total;
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> corrected(p.size());
  double highest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    highest = std::max(highest, p[order[i]] * static_cast<double>(p.size() - i));
    corrected[order[i]] = std::min(1.0, highest);
  }
  return corrected;
}

}  // namespace plumbline::bench
