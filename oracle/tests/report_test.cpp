// Reports: waivers, exit codes, the table, and JSON that does not depend on the jobs.
#include "oracle/report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/report/json.h"
#include "oracle/report/table.h"
#include "oracle/report/text.h"

namespace plumbline::report_test {
namespace {

TestResult result(const std::string& name, Verdict verdict, const std::string& signature = "") {
  TestResult r;
  r.file = "corpus/test_a.py";
  r.test = name;
  r.line = 3;
  r.rules = {"INF-06"};
  r.ran = true;
  r.verdict = verdict;
  if (verdict != Verdict::pass) r.message = "why";
  if (!signature.empty())
    r.findings.push_back({Difference{0, 7, {}, {}, {}, "1", "2", signature, 0, "assert x"},
                          "the program's expectations",
                          {},
                          Occurrence{"add_.Tensor", {"outside_inference_mode"}, signature}});
  r.statements = 10;
  return r;
}

RunReport report() {
  RunReport r;
  r.command = "check";
  Description torch;
  torch.name = "libtorch";
  torch.version = "2.13.0";
  torch.profile = "torch-2.13";
  r.implementations = {{"libtorch-2.13.0", torch}};
  r.results = {result("test_good", Verdict::pass), result("test_bad", Verdict::divergent, "add_.Tensor/values")};
  return r;
}

Waivers waivers() {
  Waiver waiver;
  waiver.id = "W-1";
  waiver.tests = {"test_a.py::test_bad"};
  waiver.rules = {"INF-06"};
  waiver.implementation = "torch-2.13";
  waiver.ops = {"add_.*"};
  waiver.when = {"outside_inference_mode"};
  waiver.signatures = {"add_.Tensor/values"};
  waiver.reason = "known";
  waiver.link = "https://example.org";
  waiver.expires = "2027-06-30";
  return Waivers({waiver});
}

TEST(Report, a_divergence_is_counted_unless_waived) {
  RunReport r = report();
  EXPECT_EQ(r.exit_code(), kExitDivergent);
  Waivers w = waivers();
  apply_waivers(r, w, true);
  EXPECT_TRUE(r.results[1].waived);
  EXPECT_EQ(r.exit_code(), 0);
  EXPECT_EQ(r.tally().line(), "1 of 2 passed, 0 unsupported, 0 unspecified, 0 divergent, 1 waived");
}

TEST(Report, a_second_difference_that_is_not_waived_stays_divergent) {
  RunReport r = report();
  r.results[1].findings.push_back(r.results[1].findings[0]);
  r.results[1].findings[1].occurrence.signature = "add_.Tensor/version";
  Waivers w = waivers();
  apply_waivers(r, w, true);
  EXPECT_EQ(r.exit_code(), kExitDivergent);
}

TEST(Report, a_divergence_without_findings_keeps_the_verdict_that_it_was_given) {
  for (const bool waived : {false, true}) {
    RunReport r = report();
    r.results[1].findings.clear();
    r.results[1].waived = waived;
    Waivers w({});
    apply_waivers(r, w, true);
    EXPECT_EQ(r.exit_code(), waived ? 0 : kExitDivergent);
  }
}

TEST(Report, a_difference_outside_the_predicate_stays_divergent) {
  RunReport r = report();
  r.results[1].findings[0].occurrence.facts = {"inside_inference_mode"};
  Waivers w = waivers();
  apply_waivers(r, w, true);
  EXPECT_FALSE(r.results[1].waived);
  EXPECT_EQ(r.exit_code(), kExitDivergent);
}

TEST(Report, a_breach_is_a_finding_unless_a_waiver_of_generated_programs_excuses_it) {
  Waiver waiver = waivers().all()[0];
  waiver.signatures = {"*/immutability: *"};
  RunReport r = report();
  Finding breach = r.results[1].findings[0];
  breach.occurrence.signature = "add_.Tensor/immutability: values";
  r.results[0].breaches = {breach};
  r.results.pop_back();
  RunReport excused = r;
  Waivers curated({waiver});
  apply_waivers(r, curated, true);
  EXPECT_EQ(r.results[0].verdict, Verdict::divergent);
  EXPECT_EQ(r.results[0].findings.size(), 1U);
  EXPECT_EQ(r.exit_code(), kExitDivergent);
  waiver.within = 10;
  Waivers generated({waiver});
  apply_waivers(excused, generated, true);
  EXPECT_EQ(excused.results[0].verdict, Verdict::pass);
  ASSERT_EQ(excused.results[0].breaches.size(), 1U);
  EXPECT_EQ(excused.results[0].breaches[0].waiver->id, "W-1");
  EXPECT_EQ(excused.exit_code(), 0);
}

TEST(Report, a_breach_outranks_milder_verdicts_but_not_worse_ones) {
  for (const Verdict verdict : {Verdict::pass, Verdict::unsupported, Verdict::unspecified, Verdict::unknown,
                                Verdict::divergent, Verdict::harness_error}) {
    RunReport r = report();
    Finding breach = r.results[1].findings[0];
    breach.difference.what = "immutability";
    r.results = {result("test_it", verdict)};
    r.results[0].breaches = {breach};
    Waivers none({});
    apply_waivers(r, none, false);
    EXPECT_EQ(r.results[0].verdict, std::max(verdict, Verdict::divergent)) << name_of(verdict);
    EXPECT_EQ(r.results[0].message, verdict < Verdict::divergent ? describe(breach.difference) : "why");
    EXPECT_EQ(r.results[0].findings.size(), 1U) << name_of(verdict);
    EXPECT_FALSE(r.results[0].waived);
    EXPECT_EQ(r.exit_code(), verdict == Verdict::harness_error ? kExitHarness : kExitDivergent);
  }
}

TEST(Report, a_stale_waiver_fails_only_a_complete_run) {
  RunReport r = report();
  r.results[1] = result("test_bad", Verdict::pass);
  Waivers w = waivers();
  apply_waivers(r, w, false);
  EXPECT_EQ(r.exit_code(), 0);
  apply_waivers(r, w, true);
  EXPECT_EQ(r.stale.size(), 1U);
  EXPECT_EQ(r.exit_code(), kExitDivergent);
}

TEST(Report, the_exit_code_says_what_went_wrong) {
  RunReport r = report();
  r.results.pop_back();
  EXPECT_EQ(r.exit_code(), 0);
  r.appendices = {{"variants", "", 0, ""}, {"variants", "", 1, ""}};
  EXPECT_EQ(r.exit_code(), 1);
  r.problems.push_back({"test_b.py", 1, 2, "is wrong", "fix it"});
  EXPECT_EQ(r.exit_code(), kExitUsage);
  r.interrupted = true;
  EXPECT_EQ(r.exit_code(), kExitInterrupted);
}

TEST(Report, text_names_tests_that_did_not_run_and_problems) {
  RunReport r = report();
  r.results[0].ran = false;
  r.interrupted = true;
  r.problems.push_back({"test_b.py", 1, 2, "is wrong", "fix it"});
  const std::string text = results_text(r, false);
  EXPECT_NE(text.find("1 of 2 were not run"), std::string::npos);
  EXPECT_NE(text.find("test_a.py::test_good on libtorch-2.13.0"), std::string::npos);
  EXPECT_NE(text.find("test_b.py:1:2: is wrong\n  fix it\n"), std::string::npos);
  EXPECT_NE(text.find("corpus/test_a.py:7: assert x"), std::string::npos);
}

TEST(Report, the_last_line_is_the_tally) {
  const std::string text = closing_text(report());
  EXPECT_TRUE(text.ends_with("\n1 of 2 passed, 0 unsupported, 0 unspecified, 1 divergent\n"));
}

TEST(Report, the_closing_lines_have_the_shares) {
  RunReport r = report();
  r.results[0].unspecified = 3;
  r.results[1].unspecified = 2;
  Waivers w = waivers();
  apply_waivers(r, w, true);
  EXPECT_EQ(
      closing_text(r),
      "20 statements compared: 5 (25.00 %) have a value that the specification does not define, 1 (5.00 %) are waived\n"
      "1 of 2 passed, 0 unsupported, 0 unspecified, 0 divergent, 1 waived\n");
  r.results[0].breaches = r.results[1].findings;
  EXPECT_TRUE(closing_text(r).starts_with("monitors: 1 of 2 runs break an invariant in a known way (W-1)\n"));
  r.results.clear();
  EXPECT_EQ(closing_text(r), "nothing ran\n");
}

TEST(Report, the_table_counts_by_rule) {
  for (const Row& row : rule_table(report())) {
    EXPECT_EQ(row.programs, row.rule == "INF-06" ? 2U : 0U);
    EXPECT_EQ(row.cells.at(0).passed, row.rule == "INF-06" ? 1U : 0U);
    EXPECT_EQ(row.cells.at(0).divergent, row.rule == "INF-06" ? 1U : 0U);
  }
  EXPECT_NE(table_text(report()).find("1 pass, 1 FAIL"), std::string::npos);
}

TEST(Report, json_is_the_same_except_timing) {
  RunReport a = report();
  RunReport b = report();
  b.jobs = 7;
  b.seconds = 3;
  auto x = nlohmann::json::parse(report_json(a));
  auto y = nlohmann::json::parse(report_json(b));
  EXPECT_NE(x, y);
  x.erase("timing");
  y.erase("timing");
  EXPECT_EQ(x, y);
  EXPECT_EQ(x["results"][1]["findings"][0]["signature"], "add_.Tensor/values");
}

TEST(Report, the_nearest_profile_is_named_if_a_release_has_none_of_its_own) {
  const auto said = [](const std::string& version, const std::string& profile) {
    Description d;
    d.name = "python";
    d.version = version;
    d.profile = profile;
    return nearest_profile_text(d);
  };
  EXPECT_EQ(said("2.9.1+cpu", "torch-2.13"), "python 2.9.1+cpu has no profile of its own; the nearest is torch-2.13");
  EXPECT_EQ(said("2.130.0", "torch-2.13"), "python 2.130.0 has no profile of its own; the nearest is torch-2.13");
  EXPECT_EQ(said("2.13.0+cpu", "torch-2.13"), "");
  EXPECT_EQ(said("1.13.0a0", "torch-1.13"), "");
  EXPECT_EQ(said("2.9.1", "sound"), "");
  EXPECT_EQ(said("", "torch-2.13"), "") << "it does not say what it is";
}

TEST(Report, strictness_is_described) {
  Description d;
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  d.fields[static_cast<std::size_t>(Field::keys)] = Strictness::ignore;
  EXPECT_EQ(strictness_text(d),
            "every reading exactly except keys (not observed); errors by message; values bit for bit, or within the "
            "reference's bound plus 4 ulps if the result was rounded");
}

}  // namespace
}  // namespace plumbline::report_test
