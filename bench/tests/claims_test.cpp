// Claims about speed: verdicts of made-up times, the report, and the sentences that they come from.
#include "bench/claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/driver/claims_report.h"
#include "bench/rows.h"

namespace plumbline::bench {
namespace {

const ClaimPair kAtMost{"a", "b", Relation::at_most, 1.1};
const ClaimPair kAtLeast{"a", "b", Relation::at_least};
const ClaimPair kAbout{"a", "b", Relation::about, 1.25};

/// Times around `ns` that spread by this share.
std::vector<double> around(double ns, double spread) {
  std::vector<double> all;
  for (int i = -5; i <= 5; ++i) all.push_back(ns * (1 + spread * i / 5));
  return all;
}

/// A report with the first claim whose first pair has these times on the side "ours".
ClaimsReport report_of(const std::vector<double>& left, const std::vector<double>& right, double control_ratio = 1) {
  ClaimsReport report;
  report.sides = {"ours"};
  report.cpu = "a CPU";
  report.rounds = left.size();
  report.claims = {{&claims().front(), {{claims().front().pairs.front(), {{"ours", {left, right, ""}}}}}}};
  report.controls = {{{"a", "a", Relation::about}, {{"ours", {around(100, 0), around(100, 0), ""}}}},
                     {{"b", "b", Relation::about}, {{"ours", {around(100 * control_ratio, 0), around(100, 0), ""}}}}};
  return report;
}

TEST(Claims, at_most_holds_below_the_limit_and_not_above_it) {
  EXPECT_EQ(judge(kAtMost, {0.9, 1.05}, 0.01), Holds::yes);
  EXPECT_EQ(judge(kAtMost, {1.05, 1.15}, 0.01), Holds::within_noise);
  EXPECT_EQ(judge(kAtMost, {1.15, 1.2}, 0.01), Holds::no);
}

TEST(Claims, at_least_holds_from_one_on) {
  EXPECT_EQ(judge(kAtLeast, {1.02, 3}, 0.01), Holds::yes);
  EXPECT_EQ(judge(kAtLeast, {0.98, 1.05}, 0.01), Holds::within_noise);
  EXPECT_EQ(judge(kAtLeast, {0.9, 0.98}, 0.01), Holds::no);
}

TEST(Claims, about_has_two_limits) {
  EXPECT_EQ(judge(kAbout, {0.85, 1.2}, 0.01), Holds::yes);
  EXPECT_EQ(judge(kAbout, {1.2, 1.3}, 0.01), Holds::within_noise);
  EXPECT_EQ(judge(kAbout, {1.3, 1.4}, 0.01), Holds::no);
  EXPECT_EQ(judge(kAbout, {0.5, 0.7}, 0.01), Holds::no);
}

TEST(Claims, a_wider_margin_takes_a_verdict_back) {
  EXPECT_EQ(judge(kAtMost, {1.15, 1.2}, 0.1), Holds::within_noise);
  EXPECT_EQ(judge(kAtMost, {0.9, 1.05}, 0.1), Holds::within_noise);
  EXPECT_EQ(judge(kAtLeast, {0.9, 0.98}, 0.1), Holds::within_noise);
}

TEST(Claims, the_margin_is_what_a_row_differs_from_itself) {
  EXPECT_DOUBLE_EQ(report_of({1}, {1}).margin("ours"), 0.01);
  EXPECT_DOUBLE_EQ(report_of({1}, {1}, 0.8).margin("ours"), 0.25);
  const ClaimsReport noisy = report_of(around(130, 0), around(100, 0), 1.4);
  EXPECT_NEAR(noisy.margin("ours"), 0.4, 1e-9);
  EXPECT_EQ(noisy.verdict(noisy.claims[0], "ours"), Holds::within_noise);
  const ClaimsReport quiet = report_of(around(130, 0), around(100, 0));
  EXPECT_EQ(quiet.verdict(quiet.claims[0], "ours"), Holds::no);
}

TEST(Claims, one_pair_that_does_not_hold_decides) {
  ClaimsReport report = report_of(around(90, 0), around(100, 0));
  EXPECT_EQ(report.verdict(report.claims[0], "ours"), Holds::yes);
  report.claims[0].pairs.push_back({claims().front().pairs[1], {{"ours", {around(100, 0), around(100, 0), ""}}}});
  EXPECT_EQ(report.verdict(report.claims[0], "ours"), Holds::within_noise);
  report.claims[0].pairs.push_back({claims().front().pairs[2], {{"ours", {around(120, 0), around(100, 0), ""}}}});
  EXPECT_EQ(report.verdict(report.claims[0], "ours"), Holds::no);
  std::ranges::reverse(report.claims[0].pairs);
  EXPECT_EQ(report.verdict(report.claims[0], "ours"), Holds::no);
  EXPECT_EQ(report.verdict(report.claims[0], "LibTorch 2.13.0"), Holds::not_there);
}

TEST(Claims, the_ratio_is_that_of_the_printed_times) {
  const ClaimsReport report = report_of(around(9.126, 0), around(371.4, 0));
  const PairVerdict verdict = report.verdict(report.claims[0].pairs[0], "ours");
  EXPECT_DOUBLE_EQ(verdict.left_ns, 9.13);
  EXPECT_DOUBLE_EQ(verdict.right_ns, 371);
  EXPECT_DOUBLE_EQ(verdict.ratio, 9.13 / 371);
}

TEST(Claims, drift_that_both_rows_share_is_not_noise) {
  std::vector<double> left;
  std::vector<double> right;
  for (int i = 0; i < 20; ++i) {
    const double speed = 1 + 0.05 * (i % 7);
    left.push_back(130 * speed);
    right.push_back(100 * speed);
  }
  const ClaimsReport report = report_of(left, right);
  const PairVerdict verdict = report.verdict(report.claims[0].pairs[0], "ours");
  EXPECT_NEAR(verdict.interval.low, 1.3, 0.01);
  EXPECT_NEAR(verdict.interval.high, 1.3, 0.01);
}

TEST(Claims, text_has_pairs_margins_and_a_summary) {
  const std::string text = claims_text(report_of(around(130, 0), around(100, 0)));
  for (const char* part : {"old-guard (D-25, A-03): A workload", "add/1/inference ≤ add/1/below", "130 ns", "1.30x",
                           "does not hold, 0 of 1", "ours 1.0 %", "1 claim on 1 side in"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(Claims, json_has_samples_limits_and_verdicts) {
  const auto json = nlohmann::json::parse(claims_json(report_of(around(130, 0), around(100, 0))));
  EXPECT_EQ(json["kind"], "claims");
  EXPECT_EQ(json["claims"][0]["sentences"], nlohmann::json::array({"D-25", "A-03"}));
  EXPECT_EQ(json["claims"][0]["verdicts"]["ours"], "does not hold");
  const auto& pair = json["claims"][0]["pairs"][0];
  EXPECT_EQ(pair["relation"], "at most");
  EXPECT_DOUBLE_EQ(pair["sides"]["ours"]["ratio"].get<double>(), 1.3);
  EXPECT_EQ(pair["sides"]["ours"]["left"].size(), 11U);
  EXPECT_DOUBLE_EQ(json["sides"][0]["margin"].get<double>(), 0.01);
}

TEST(Claims, exit_codes) {
  EXPECT_EQ(report_of(around(130, 0), around(100, 0)).exit_code(), 0);  // a claim that does not hold is a finding
  ClaimsReport failed = report_of({1}, {1});
  failed.claims[0].pairs[0].sides["ours"].error = "it ended";
  EXPECT_EQ(failed.exit_code(), 3);
  EXPECT_NE(claims_text(failed).find("error: add/1/inference ≤ add/1/below, ours: it ended"), std::string::npos);
  failed.interrupted = true;
  EXPECT_EQ(failed.exit_code(), 130);
  EXPECT_EQ(ClaimsReport().exit_code(), 4);
}

TEST(Claims, compare_rows_that_exist_and_have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const Claim& claim : claims()) {
    EXPECT_TRUE(names.insert(claim.name).second) << claim.name;
    EXPECT_FALSE(claim.pairs.empty()) << claim.name;
    for (const ClaimPair& pair : claim.pairs) {
      EXPECT_TRUE(find_case(pair.left)) << pair.left;
      EXPECT_TRUE(find_case(pair.right)) << pair.right;
      EXPECT_GE(pair.limit, 1) << text_of(pair);
    }
  }
  for (const std::string_view id : control_cases()) EXPECT_TRUE(find_case(id)) << id;
}

/// The claim that a reason names as `plumbline bench --claims --filter NAME`; empty: none.
std::string claim_in(const std::string& reason) {
  const std::string command = "`plumbline bench --claims --filter ";
  const std::size_t at = reason.find(command);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + command.size();
  return reason.substr(begin, reason.find('`', begin) - begin);
}

TEST(Claims, name_sentences_of_the_inventory_whose_reasons_name_the_claim) {
  const auto inventory = nlohmann::json::parse(std::ifstream(PLUMBLINE_SENTENCES));
  for (const auto& sentence : inventory["sentences"]) {
    const std::string name = claim_in(sentence.value("reason", ""));
    if (name.empty()) continue;
    const auto claim = std::ranges::find(claims(), name, &Claim::name);
    ASSERT_NE(claim, claims().end()) << sentence;
    EXPECT_NE(std::ranges::find(claim->sentences, sentence["id"].get<std::string>()), claim->sentences.end())
        << sentence;
  }
  for (const Claim& claim : claims())
    for (const std::string_view id : claim.sentences) {
      const auto sentence = std::ranges::find_if(inventory["sentences"], [&](const auto& s) { return s["id"] == id; });
      ASSERT_NE(sentence, inventory["sentences"].end()) << id;
      if (!sentence->contains("reason")) continue;
      const std::string named = claim_in((*sentence)["reason"]);
      EXPECT_TRUE(!named.empty() && claim.name.starts_with(named)) << *sentence;
    }
}

}  // namespace
}  // namespace plumbline::bench
