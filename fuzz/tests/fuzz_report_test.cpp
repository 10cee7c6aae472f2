// A campaign's report: every failure is listed, with or without a reproducer; shares refer to what was compared;
// coverage counts rules that mattered separately from rules that were consulted.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "fuzz/judge_adapter.h"
#include "fuzz/report.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::fuzz::fuzz_report_test {

namespace {

Subject reference_against_itself() {
  return {[] { return std::make_unique<JudgeAdapter>(reference::Judge()); }, {}, {}};
}

TEST(FuzzReport, json_has_each_failure_with_a_reproducer_or_without) {
  Case with{
      {7, Verdict::divergent, "add_/values", "they differ", std::nullopt, 3, ""}, {}, 12, true, "found/test_a.py"};
  with.reproducer = {"def test_a(): ...\n", 4, 9, "expected 1, got 2", true, ""};
  Case without{{8, Verdict::divergent, "run/crash", "signal 11", std::nullopt, 1, ""}, {}, 0, false, ""};
  without.reproducer.note = "it did not fail when it was run again";
  const Case harness{
      {9, Verdict::harness_error, "harness: it broke", "it broke", std::nullopt, 1, ""}, {}, 0, true, ""};
  const auto json = to_json(Report(), {with, without, harness}, {}, 5);
  ASSERT_EQ(json["failures"].size(), 3U);
  EXPECT_EQ(json["failures"][0]["program"], "def test_a(): ...\n");
  EXPECT_EQ(json["failures"][0]["verified"], true);
  EXPECT_EQ(json["failures"][0]["programs"], 3);
  EXPECT_EQ(json["failures"][1]["signature"], "run/crash");
  EXPECT_EQ(json["failures"][1]["index"], 8);
  EXPECT_EQ(json["failures"][1]["verified"], false);
  EXPECT_EQ(json["failures"][1]["note"], "it did not fail when it was run again");
  EXPECT_EQ(json["failures"][2]["verdict"], "harness-error");
  for (const auto& one : json["failures"]) EXPECT_EQ(one["seed"], 5);
}

TEST(FuzzReport, json_has_what_the_monitors_saw) {
  Shown shown{{"immutability (W-08)", "W-08", true, 3, 2, "it changed"}, {}, ""};
  const auto json = to_json(Report(), {}, {shown}, 1);
  ASSERT_EQ(json["monitors"].size(), 1U);
  EXPECT_EQ(json["monitors"][0]["waiver"], "W-08");
  EXPECT_EQ(json["monitors"][0]["programs"], 2);
}

TEST(FuzzReport, a_waived_difference_is_named_with_its_waiver) {
  Report report;
  report.known = {{80, Verdict::divergent, "add_.Tensor/error", "m", std::nullopt, 5, "W-110"}};
  EXPECT_NE(to_text(report).find("waived by W-110: 5 programs, the first is number 80: add_.Tensor/error\n"),
            std::string::npos)
      << to_text(report);
  const auto json = to_json(report, {}, {}, 1);
  ASSERT_EQ(json["known"].size(), 1U);
  EXPECT_EQ(json["known"][0]["waiver"], "W-110");
  EXPECT_EQ(json["known"][0]["programs"], 5);
}

TEST(FuzzReport, shares_are_of_the_statements_compared) {
  Report report;
  report.programs = 10;
  report.statements = 500;
  report.compared = 200;
  report.unspecified = 50;
  report.waived = 4;
  EXPECT_NE(to_text(report).find("200 statements compared, 50 (25.00 %) unspecified, 4 (2.00 %) waived"),
            std::string::npos)
      << to_text(report);
  const auto json = to_json(report, {}, {}, 1);
  EXPECT_EQ(json["unspecified_statements"], 50);
  EXPECT_EQ(json["unspecified_percent"], 25.0);
  EXPECT_EQ(json["waived_percent"], 2.0);
}

TEST(FuzzReport, a_campaign_counts_each_statement_that_was_compared_and_each_that_is_free) {
  constexpr std::uint64_t kPrograms = 300;
  CampaignOptions options;
  options.programs = kPrograms;
  options.jobs = 2;
  const Report report = run_campaign(reference_against_itself(), options);
  std::uint64_t compared = 0;
  std::uint64_t unspecified = 0;
  JudgeAdapter adapter{reference::Judge()};
  for (std::uint64_t index = 0; index < kPrograms; ++index) {
    try {
      const Held held = hold(adapter, {}, build(genes_at(options.seed, index).value(), Recipe()));
      compared += held.comparison.statements;
      unspecified += held.comparison.unspecified;
    } catch (const reference::ReferenceLimit&) {
      continue;
    }
  }
  EXPECT_EQ(report.compared, compared);
  EXPECT_EQ(report.unspecified, unspecified);
  EXPECT_GT(unspecified, 0U);
  EXPECT_EQ(report.tally.total(), kPrograms);
}

/// A campaign against a reference that misreads VER-04.
Subject misread() {
  reference::Judge judge;
  judge.flipped = &VER_04;
  return {[judge] { return std::make_unique<JudgeAdapter>(judge); }, {}, {}};
}

TEST(FuzzReport, a_campaign_counts_each_program_that_diverges) {
  CampaignOptions options;
  options.programs = 500;  // neither one batch nor whole ones
  options.max_failures = 10000;
  const Report report = run_campaign(misread(), options);
  std::uint64_t divergent = 0;
  const std::unique_ptr<Adapter> adapter = misread().make_adapter();
  for (std::uint64_t index = 0; index < options.programs; ++index)
    divergent += signature_on(*adapter, {}, build(genes_at(options.seed, index).value(), Recipe())).empty() ? 0 : 1;
  EXPECT_GT(divergent, 10U);
  std::uint64_t times = 0;
  for (const Finding& finding : report.findings) times += finding.times;
  EXPECT_EQ(times, divergent);
  EXPECT_EQ(report.programs, options.programs);
  EXPECT_EQ(report.tally.total(), options.programs);
  EXPECT_GE(report.tally.divergent, divergent);
}

/// A waiver of these differences, wherever they are.
Waiver waiver_of(std::vector<std::string> signatures) {
  return {"W-1", {}, {"VER-04"}, "reference", {"*"}, {}, false, std::move(signatures), {}, "", "", "", 1};
}

/// The first program that has two kinds of differences from the misread reference, with them.
std::pair<Script, Comparison> two_differences() {
  const std::unique_ptr<Adapter> adapter = misread().make_adapter();
  for (std::uint64_t index = 0; index < 4000; ++index) {
    Script script = build(genes_at(1, index).value(), Recipe());
    Comparison found = hold(*adapter, {}, script).comparison;
    if (found.differences.size() > 1 && found.differences.front().signature != found.differences.back().signature)
      return {std::move(script), std::move(found)};
  }
  throw std::logic_error("no program has two kinds of differences");
}

TEST(FuzzReport, a_program_has_no_signature_if_waivers_excuse_all_its_differences) {
  const auto [script, found] = two_differences();
  const std::unique_ptr<Adapter> adapter = misread().make_adapter();
  const Waivers all({waiver_of({"*"})}), none({waiver_of({"another/one"})});
  EXPECT_EQ(signature_on(*adapter, {}, script), found.differences.front().signature);
  EXPECT_EQ(signature_on(*adapter, {}, script, &all), "");
  EXPECT_EQ(signature_on(*adapter, {}, script, &none), found.differences.front().signature);
}

TEST(FuzzReport, a_program_has_the_signature_of_the_first_difference_that_no_waiver_excuses) {
  const auto [script, found] = two_differences();
  const std::unique_ptr<Adapter> adapter = misread().make_adapter();
  const std::string first = found.differences.front().signature;
  const auto other = std::ranges::find_if(found.differences, [&](const Difference& d) { return d.signature != first; });
  const Waivers waivers({waiver_of({first})});
  EXPECT_EQ(signature_on(*adapter, {}, script, &waivers), other->signature);
  Comparison comparison = found;
  EXPECT_EQ(excuse_of(waivers, script, comparison, adapter->describe()), nullptr);
  EXPECT_EQ(comparison.message, describe(*other));
}

TEST(FuzzReport, of_several_workers_is_that_of_one) {
  CampaignOptions one;
  one.programs = 400;
  one.max_failures = 10000;
  CampaignOptions three = one;
  three.jobs = 3;
  const auto json_of = [](const CampaignOptions& options) {
    const Report report = run_campaign(misread(), options);
    std::vector<Case> cases;
    for (const Finding& finding : report.findings) cases.push_back({finding, {}, 0, true, ""});
    return to_json(report, cases, {}, options.seed);
  };
  EXPECT_EQ(json_of(one), json_of(three));
}

TEST(FuzzReport, a_breach_that_nothing_explains_makes_a_program_divergent_whatever_else_it_is) {
  reference::Judge ships;
  ships.profile = Profile::torch_2_13;  // an in-place op that is refused has written (INF-06)
  const Subject itself{[ships] { return std::make_unique<JudgeAdapter>(ships); }, Recipe(ships), ships};
  CampaignOptions options;
  options.programs = 3000;
  options.max_failures = 10000;
  const Report report = run_campaign(itself, options);
  JudgeAdapter adapter(ships);
  const Waivers none({});
  std::uint64_t breaching = 0;
  std::uint64_t breaching_and_free = 0;
  for (std::uint64_t index = 0; index < options.programs; ++index) {
    const Script script = build(genes_at(options.seed, index).value(), itself.generated);
    const RunResult result = adapter.run(script);
    if (sightings(script, result, adapter.describe(), none).empty()) continue;
    const Trace& trace = std::get<Trace>(result);
    ++breaching;
    breaching_and_free += compare(script, trace, result, adapter.describe()).verdict == Verdict::unspecified ? 1 : 0;
  }
  EXPECT_EQ(report.tally.divergent, breaching);
  EXPECT_GT(breaching_and_free, 0U);
  ASSERT_FALSE(report.sightings.empty());
  for (const Sighting& one : report.sightings) EXPECT_FALSE(one.explained) << one.key;
}

TEST(Coverage, a_rule_that_was_only_consulted_has_not_mattered) {
  Decisions decisions;
  decisions.consulted.set(INF_03.index());
  decisions.consulted.set(INF_06.index());
  decisions.mattered.set(INF_06.index());
  Coverage coverage;
  coverage.rules(decisions);
  coverage.rules(decisions);
  EXPECT_EQ(coverage.consulted[INF_03.index()], 2U);
  EXPECT_EQ(coverage.mattered[INF_03.index()], 0U);
  EXPECT_EQ(coverage.consulted[INF_06.index()], 2U);
  EXPECT_EQ(coverage.mattered[INF_06.index()], 2U);
  const std::vector<std::string> never = never_mattered(coverage);
  EXPECT_NE(std::ranges::find(never, "INF-03"), never.end());
  EXPECT_EQ(std::ranges::find(never, "INF-06"), never.end());
  EXPECT_EQ(never.size(), kRules.size() - 1);
  const auto json = to_json(coverage);
  EXPECT_EQ(json["rules"]["INF-03"]["consulted"], 2);
  EXPECT_EQ(json["rules"]["INF-03"]["mattered"], 0);
  EXPECT_EQ(json["rules"]["INF-06"]["mattered"], 2);
  EXPECT_EQ(json["rules_never_mattered"].size(), kRules.size() - 1);
}

TEST(Coverage, of_a_campaign_is_what_each_program_decided) {
  constexpr std::uint64_t kPrograms = 100;
  CampaignOptions options;
  options.programs = kPrograms;
  const Report report = run_campaign(reference_against_itself(), options);
  Coverage own;
  for (std::uint64_t index = 0; index < kPrograms; ++index) {
    Decisions decisions;
    reference::Judge judge;
    judge.decisions = &decisions;
    reference::run(judge, build(genes_at(options.seed, index).value(), Recipe()));
    own.rules(decisions);
  }
  EXPECT_EQ(report.coverage.consulted, own.consulted);
  EXPECT_EQ(report.coverage.mattered, own.mattered);
  EXPECT_NE(own.consulted, own.mattered);
}

TEST(Coverage, of_two_workers_adds_up) {
  Coverage one;
  Coverage two;
  const reference::Tls normal{};
  one.call(normal, OpId{}, ErrorClass::none);
  two.call(normal, OpId{}, ErrorClass::none);
  two.call(normal, OpId{}, ErrorClass::leaf_inplace);
  one.other("backward", ErrorClass::none);
  two.other("backward", ErrorClass::none);
  two.other("thread", ErrorClass::none);
  one.merge(two);
  EXPECT_EQ(one.ops[0], 2U);
  EXPECT_EQ(one.op_errors[0], 1U);
  EXPECT_EQ(one.errors[static_cast<std::size_t>(ErrorClass::leaf_inplace)], 1U);
  ASSERT_EQ(one.statements.size(), 2U);
  EXPECT_EQ(one.statements[0].second, 2U);
  EXPECT_EQ(one.statements[1].second, 1U);
}

}  // namespace

}  // namespace plumbline::fuzz::fuzz_report_test
