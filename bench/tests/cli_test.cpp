// `plumbline bench`: help, wrong usage, bad input, claims, exit codes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/tests/command.h"

namespace {

using command::has;
using command::plumbline;
using command::Ran;

const std::string kFixture = std::string("'process:") + PLUMBLINE_FIXTURE + " --serve'";

TEST(Bench, help_has_examples_and_exit_codes) {
  const Ran ran = plumbline("bench --help");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran, "examples:"));
  EXPECT_TRUE(has(ran, "exit codes: 0 ran, 1 a regression"));
  EXPECT_TRUE(has(plumbline("--help"), "bench "));
}

TEST(Bench, list_has_the_cases_and_the_titles_of_their_targets) {
  const Ran ran = plumbline("bench --list");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran, "add/1/inference"));
  EXPECT_TRUE(has(ran, "MLP 8-16-4, inference"));
  EXPECT_TRUE(has(ran, "chain/1000/lazy"));
}

TEST(Bench, wrong_usage_exits_with_2_and_the_error_says_what_is_right) {
  EXPECT_TRUE(has(plumbline("bench --filter ''"), "--filter is empty"));
  EXPECT_TRUE(has(plumbline("bench --filter '('"), "is not a regular expression"));
  EXPECT_TRUE(has(plumbline("bench --gate much --against x"), "write 3% or 0.03"));
  EXPECT_TRUE(has(plumbline("bench --save a --against b"), "do not go together"));
  EXPECT_TRUE(has(plumbline("bench --save ''"), "--save needs a name"));
  EXPECT_TRUE(has(plumbline("bench --save ../x"), "is not a name to save under"));
  EXPECT_TRUE(has(plumbline("bench --save optimized"), "would take 'optimized' for something else"));
  EXPECT_TRUE(has(plumbline("bench --on libtorch-0.1 --save x"), "no runner for 'libtorch-0.1' is built here"));
  EXPECT_TRUE(has(plumbline("bench --on " + kFixture), "with --save, --against or --claims"));
  EXPECT_TRUE(has(plumbline("bench --json /no/such/folder/x"), "cannot write this file"));
  for (const char* wrong :
       {"--filter ''", "--filter '('", "--gate much", "--save a --against b", "--save ''", "--against ''",
        "--save optimized", "--nonsense", "--on nothing", "--json /no/such/folder/x", "--claims --save x",
        "--claims --svg x.svg", "--claims --filter '('"})
    EXPECT_EQ(plumbline(std::string("bench ") + wrong).code, 2) << wrong;
}

std::string claims_fixture(const std::string& plant) {
  return std::string("'process:") + PLUMBLINE_FIXTURE + " --serve --plant=" + plant + "'";
}

nlohmann::json claims_of(const std::string& plant, const std::string& filter) {
  const Ran ran =
      plumbline("bench --claims --quick --json - --on " + claims_fixture(plant) + " --filter " + filter, "2>/dev/null");
  EXPECT_EQ(ran.code, 0) << ran.text;
  return nlohmann::json::parse(ran.text, nullptr, false);
}

/// The verdict of the first claim on the one side.
std::string verdict_of(const nlohmann::json& json) { return json["claims"][0]["verdicts"].front(); }

TEST(Claims, are_listed_with_their_sentences_and_pairs) {
  const Ran ran = plumbline("bench --claims --list");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran, "(F-33)"));
  EXPECT_TRUE(has(ran, "write_split/1/normal ≤ 1.1 × write_fused/1/normal"));
}

TEST(Claims, hold_where_the_rows_differ_as_the_text_says) {
  const auto json = claims_of("claims", "'^modes$'");
  EXPECT_EQ(json["claims"].size(), 1U);
  EXPECT_NE(verdict_of(json), "does not hold") << json;
  const auto boxed = claims_of("claims", "P-49");
  EXPECT_EQ(verdict_of(boxed), "holds") << boxed;
}

TEST(Claims, do_not_hold_where_a_planted_row_is_slower) {
  EXPECT_EQ(verdict_of(claims_of("claims_wrong", "'^old-guard$'")), "does not hold");
}

TEST(Claims, leave_out_a_row_that_a_side_does_not_have) {
  const auto json = claims_of("claims", "'^old-guard-entry$'");
  const auto& pairs = json["claims"][0]["pairs"];
  EXPECT_EQ(pairs.back()["right"], "guard_legacy/normal");
  EXPECT_TRUE(pairs.back()["sides"].front().is_null()) << pairs.back();
  EXPECT_FALSE(pairs.front()["sides"].front().is_null());
}

TEST(Claims, of_rows_with_different_outcomes_are_an_error) {
  const Ran ran = plumbline("bench --claims --quick --on " + claims_fixture("claims_odd") + " --filter bump");
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(has(ran, "error: bump/normal"));
  EXPECT_TRUE(has(ran, "have different outcomes"));
}

TEST(Claims, a_filter_that_matches_no_claim_exits_with_4) {
  const Ran ran = plumbline("bench --claims --filter no_such_claim --on " + claims_fixture("claims"));
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(has(ran, "matches no claim"));
}

TEST(Bench, a_filter_that_matches_nothing_exits_with_4) {
  EXPECT_EQ(plumbline("bench --filter no_such_case").code, 4);
  EXPECT_EQ(plumbline("bench --on " + kFixture + " --filter no_such_case --save x").code, 4);
  const Ran ran = plumbline("bench --on " + kFixture + " --against " + kFixture + " --filter no_such_case");
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(has(ran, "matches no case"));
}

TEST(Bench, against_needs_a_well_formed_report) {
  const std::string folder = testing::TempDir() + "bench_cli_" + std::to_string(getpid());
  std::filesystem::create_directories(folder + "/good");
  std::ofstream(folder + "/bad.json") << R"({"plumbline_bench": 1, "kind": "samples"})";
  const std::string against = "bench --on " + kFixture + " --store " + folder + " --against ";
  const Ran unknown = plumbline(against + "nothing");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown, "no such saved report, file or implementation"));
  const Ran bad = plumbline(against + folder + "/bad.json");
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(has(bad, "bad.json is not a saved report: it has no string `implementation`"));
  EXPECT_EQ(plumbline(against + folder + "/none.json").code, 2);
  EXPECT_EQ(plumbline(against + folder + "/good").code, 2);
  std::filesystem::remove_all(folder);
}

TEST(Bench, partial_results_are_printed_after_an_interrupt) {
  const Ran ran = plumbline("bench --on " + kFixture + " --against " + kFixture + " --no-instructions", "2>&1",
                            "timeout --signal=INT 2");
  EXPECT_EQ(ran.code, 124);  // the exit code of `timeout`; the test is about the report
  EXPECT_TRUE(has(ran, "interrupted, not confirmed"));
}

}  // namespace
