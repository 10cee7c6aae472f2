// The statistics on data whose answers are known from tables or by counting.
#include "bench/driver/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace plumbline::bench {
namespace {

TEST(Median, middle_or_mean_of_the_two) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(MedianInterval, agrees_with_the_tables_of_the_sign_test) {
  // n = 12: the 3rd and the 10th hold it with 96.1 %, the 2nd and the 11th with 99.4 %.
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_EQ(median_interval(values, 0.95).low, 3);
  EXPECT_EQ(median_interval(values, 0.95).high, 10);
  EXPECT_EQ(median_interval(values, 0.99).low, 2);
  EXPECT_EQ(median_interval(values, 0.99).high, 11);
}

TEST(MedianInterval, of_few_values_is_their_range) {
  EXPECT_EQ(median_interval({5, 1, 3}, 0.99).low, 1);
  EXPECT_EQ(median_interval({5, 1, 3}, 0.99).high, 5);
  EXPECT_EQ(median_interval({2}, 0.99).low, 2);
}

TEST(MedianInterval, holds_the_median_as_often_as_it_says) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> noise(0, 1);  // whose median is 1
  int held = 0;
  constexpr int kTries = 4000;
  for (int i = 0; i < kTries; ++i) {
    std::vector<double> values(20);
    for (double& value : values) value = noise(random);
    const Interval interval = median_interval(values, 0.95);
    held += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(held, kTries * 0.95);
  EXPECT_LE(held, kTries * 0.975);  // n = 20: 95.9 % by the table
}

TEST(RatioInterval, of_equal_values_is_their_ratio) {
  const std::vector<double> base(10, 2.0);
  const std::vector<double> fresh(8, 3.0);
  EXPECT_EQ(ratio_interval(base, fresh, 0.99).low, 1.5);
  EXPECT_EQ(ratio_interval(base, fresh, 0.99).high, 1.5);
}

TEST(RatioInterval, holds_the_ratio) {
  const std::vector<double> base{10, 11, 10.5, 9.5, 10.2, 9.9, 10.1, 10.4, 9.8};
  std::vector<double> fresh;
  for (const double value : base) fresh.push_back(1.2 * value);
  const Interval interval = ratio_interval(base, fresh, 0.99);
  EXPECT_LT(interval.low, 1.2);
  EXPECT_GT(interval.low, 1.1);
  EXPECT_GT(interval.high, 1.2);
  EXPECT_LT(interval.high, 1.3);
}

TEST(PairedRatioInterval, is_narrow_where_both_drift_together) {
  std::vector<double> base;
  std::vector<double> fresh;
  for (int i = 0; i < 20; ++i) {
    base.push_back(100 + 7 * (i % 5));
    fresh.push_back(1.2 * base.back());
  }
  const Interval paired = paired_ratio_interval(base, fresh, 0.99);
  EXPECT_NEAR(paired.low, 1.2, 1e-9);
  EXPECT_NEAR(paired.high, 1.2, 1e-9);
  const Interval apart = ratio_interval(base, fresh, 0.99);
  EXPECT_LT(apart.low, 1.15);
  EXPECT_GT(apart.high, 1.25);
}

TEST(SignedRank, all_positive_is_one_of_two_to_the_n) {
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{1, 2, 3, 4, 5}), 1.0 / 32);
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{-1, -2, -3}), 1.0);
}

TEST(SignedRank, counts_the_choices_that_are_as_extreme) {
  // Positive ranks 2, 3, 4 sum to 9; 9 or more have {2,3,4}, {1,2,3,4} of 16 choices.
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{-1, 2, 3, 4}), 2.0 / 16);
  // Ranks 1.5 and 1.5: one of the two positive has a sum of 1.5, which three of four choices reach.
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{1, -1}), 3.0 / 4);
}

TEST(SignedRank, leaves_zeros_out) {
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{0, 1, 0, 2}), 1.0 / 4);
  EXPECT_DOUBLE_EQ(signed_rank_p(std::vector<double>{0, 0}), 1.0);
}

TEST(MannWhitney, complete_separation_is_one_choice_of_all) {
  EXPECT_DOUBLE_EQ(mann_whitney_p(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}), 1.0 / 20);
  EXPECT_DOUBLE_EQ(mann_whitney_p(std::vector<double>{4, 5, 6}, std::vector<double>{1, 2, 3}), 1.0);
}

TEST(MannWhitney, counts_the_choices_that_are_as_extreme) {
  // Ranks of the second are 2, 4: a sum of 6, which {2,4}, {3,4} of 6 choices reach.
  EXPECT_DOUBLE_EQ(mann_whitney_p(std::vector<double>{1, 3}, std::vector<double>{2, 4}), 2.0 / 6);
}

TEST(MannWhitney, ties_share_their_ranks) {
  EXPECT_DOUBLE_EQ(mann_whitney_p(std::vector<double>{1, 1}, std::vector<double>{1, 1}), 1.0);
  // Ranks 1, 2.5, 2.5, 4; the second has 2.5 + 4 = 6.5, which {2.5,4} twice reach.
  EXPECT_DOUBLE_EQ(mann_whitney_p(std::vector<double>{1, 2}, std::vector<double>{2, 3}), 2.0 / 6);
}

TEST(MannWhitney, tells_100_values_from_100_shifted_ones) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> noise(0, 1);
  const auto sample = [&](std::size_t count, double shift) {
    std::vector<double> values(count);
    for (double& value : values) value = noise(random) + shift;
    return values;
  };
  EXPECT_LT(mann_whitney_p(sample(100, 0), sample(100, 1)), 1e-6);
  const double same = mann_whitney_p(sample(100, 0), sample(100, 0));
  EXPECT_GT(same, 0.001);
  EXPECT_LT(same, 0.999);
}

TEST(RankTests, are_wrong_as_often_as_they_say) {
  std::mt19937_64 random(3);
  std::lognormal_distribution<double> noise(0, 0.1);
  int signed_rank = 0;
  int mann_whitney = 0;
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    std::vector<double> base(9);
    std::vector<double> fresh(9);
    std::vector<double> differences(9);
    for (std::size_t k = 0; k < base.size(); ++k) {
      base[k] = noise(random);
      fresh[k] = noise(random);
      differences[k] = std::log(fresh[k] / base[k]);
    }
    signed_rank += signed_rank_p(differences) < 0.05 ? 1 : 0;
    mann_whitney += mann_whitney_p(base, fresh) < 0.05 ? 1 : 0;
  }
  EXPECT_LT(signed_rank, kTries * 0.065);
  EXPECT_LT(mann_whitney, kTries * 0.065);
  EXPECT_GT(signed_rank, kTries * 0.03);
  EXPECT_GT(mann_whitney, kTries * 0.03);
}

TEST(Holm, multiplies_by_the_number_of_tests_left) {
  const std::vector<double> corrected = holm({0.01, 0.04, 0.03});
  EXPECT_DOUBLE_EQ(corrected[0], 0.03);
  EXPECT_DOUBLE_EQ(corrected[2], 0.06);
  EXPECT_DOUBLE_EQ(corrected[1], 0.06);  // never less than a smaller one's
  EXPECT_EQ(holm({0.9, 0.8}), (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace plumbline::bench
