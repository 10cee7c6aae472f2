// Judging times: planted slowdowns in noisy data are found, and unchanged data gives no finding.
#include "bench/driver/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

namespace plumbline::bench {
namespace {

constexpr int kRounds = 20;

/// Pairs of samples: a machine whose speed drifts by 20 % from round to round, and noise of 4 % on each sample.
Compared pairs(std::mt19937_64& random, double slower) {
  std::normal_distribution<double> noise(0, 0.04);
  std::normal_distribution<double> drift(0, 0.2);
  Compared one;
  one.id = "case";
  for (int i = 0; i < kRounds; ++i) {
    const double speed = std::exp(drift(random));
    one.base.ns.push_back(100 * speed * std::exp(noise(random)));
    one.fresh.ns.push_back(100 * slower * speed * std::exp(noise(random)));
  }
  return one;
}

/// A comparison of so many cases, of which the first is so much slower than its base.
std::vector<Compared> judged(std::mt19937_64& random, int cases, double slower, const Judgement& judgement) {
  std::vector<Compared> all;
  for (int i = 0; i < cases; ++i) {
    all.push_back(pairs(random, i == 0 ? slower : 1));
    judge_times(all.back(), judgement);
  }
  decide(all, judgement);
  return all;
}

TEST(Judgement, finds_15_percent_among_100_noisy_cases) {
  std::mt19937_64 random(1);
  int found = 0;
  for (int i = 0; i < 50; ++i) found += judged(random, 100, 1.15, {}).front().time == Change::slower ? 1 : 0;
  EXPECT_GE(found, 49);
}

TEST(Judgement, finds_nothing_in_unchanged_cases) {
  std::mt19937_64 random(2);
  int found = 0;
  for (int i = 0; i < 50; ++i)
    for (const Compared& one : judged(random, 100, 1, {})) found += one.time != Change::none ? 1 : 0;
  EXPECT_EQ(found, 0);
}

TEST(Judgement, ignores_a_change_within_the_gate) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(judged(random, 10, 1.02, {}).front().time, Change::none);
}

TEST(Judgement, finds_a_faster_case) {
  std::mt19937_64 random(4);
  EXPECT_EQ(judged(random, 10, 1 / 1.2, {}).front().time, Change::faster);
}

TEST(Judgement, of_unpaired_samples_needs_a_larger_change) {
  std::mt19937_64 random(5);
  const Judgement judgement{.gate = 0.03, .time_gate = 0.1, .paired = false};
  std::normal_distribution<double> noise(0, 0.04);
  const auto sampled = [&](double slower) {
    Compared one;
    for (int i = 0; i < kRounds; ++i) {
      one.base.ns.push_back(100 * std::exp(noise(random)));
      one.fresh.ns.push_back(100 * slower * std::exp(noise(random)));
    }
    judge_times(one, judgement);
    return one;
  };
  std::vector<Compared> cases{sampled(1), sampled(1.06), sampled(1.3)};
  decide(cases, judgement);
  EXPECT_EQ(cases[0].time, Change::none);
  EXPECT_EQ(cases[1].time, Change::none);
  EXPECT_EQ(cases[2].time, Change::slower);
}

TEST(Judgement, ignores_times_of_another_machine) {
  std::mt19937_64 random(6);
  EXPECT_EQ(judged(random, 3, 2, {.times = false}).front().time, Change::none);
}

TEST(Judgement, needs_more_than_three_samples) {
  Compared one;
  one.base.ns = {100, 100, 100};
  one.fresh.ns = {200, 200, 200};
  judge_times(one, {});
  std::vector<Compared> cases{one};
  decide(cases, {});
  EXPECT_EQ(cases[0].time, Change::none);  // 1 of 8 orders of signs is as extreme
}

TEST(Judgement, ignores_missing_and_impossible_times) {
  for (const std::vector<double>& base : {std::vector<double>{}, std::vector<double>{0, 0, 0}}) {
    Compared one;
    one.base.ns = base;
    one.fresh.ns = {1, 2, 3};
    judge_times(one, {});
    std::vector<Compared> cases{one};
    decide(cases, {});
    EXPECT_EQ(cases[0].time, Change::none);
  }
}

TEST(Instructions, above_the_gate_are_a_regression_without_any_times) {
  Comparison comparison;
  comparison.cases.resize(3);
  for (Compared& one : comparison.cases) one.base.instructions = 1000;
  comparison.cases[0].fresh.instructions = 1050;
  comparison.cases[1].fresh.instructions = 1020;
  comparison.cases[2].fresh.instructions = 900;
  decide(comparison.cases, comparison.judgement);
  EXPECT_EQ(comparison.cases[0].instructions, Change::slower);
  EXPECT_EQ(comparison.cases[1].instructions, Change::none);
  EXPECT_EQ(comparison.cases[2].instructions, Change::faster);
  EXPECT_EQ(comparison.regressions(), 1U);
  EXPECT_EQ(comparison.exit_code(), 1);
}

TEST(Comparison, exit_codes) {
  Comparison comparison;
  EXPECT_EQ(comparison.exit_code(), 4);
  comparison.cases.resize(1);
  EXPECT_EQ(comparison.exit_code(), 0);
  comparison.cases[0].error = "it ended";
  EXPECT_EQ(comparison.exit_code(), 3);
  comparison.interrupted = true;
  EXPECT_EQ(comparison.exit_code(), 130);
}

TEST(Comparison, the_printed_change_is_that_of_the_printed_columns) {
  Comparison comparison;
  comparison.cases.resize(1);
  Compared& one = comparison.cases[0];
  one.id = "drifting";
  one.base.ns = {100, 200, 300};
  one.fresh.ns = {110, 240, 300};  // the median of the paired ratios is 1.1, the ratio of the medians 1.2
  one.base.instructions = 100.04;  // printed: 100.0 and 103.0
  one.fresh.instructions = 102.96;
  judge_times(one, comparison.judgement);
  EXPECT_DOUBLE_EQ(one.ratio, 1.1);
  const std::string text = comparison_text(comparison, true);
  EXPECT_NE(text.find("200.0 ns  240.0 ns  +20.0 %"), std::string::npos) << text;
  EXPECT_NE(text.find("103.0  +3.0 %"), std::string::npos) << text;
}

TEST(Comparison, text_json_and_picture) {
  std::mt19937_64 random(7);
  Comparison comparison;
  comparison.base = "before";
  comparison.fresh = "optimized";
  comparison.cases = judged(random, 5, 1.3, comparison.judgement);
  comparison.cases[0].id = "slow";
  const std::string text = comparison_text(comparison, false);
  EXPECT_NE(text.find("slow"), std::string::npos) << text;
  EXPECT_NE(text.find("REGRESSED: time"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 5 cases regressed"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(comparison_json(comparison));
  EXPECT_EQ(json["regressions"], 1);
  EXPECT_EQ(json["cases"][0]["time"], "slower");
  EXPECT_EQ(json["cases"][0]["base"]["ns"].size(), static_cast<std::size_t>(kRounds));
  EXPECT_NE(comparison_svg(comparison).find("slow</text>"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::bench
