// Reports, word by word: the JSON, the table and the text of a run with every verdict.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "oracle/report/json.h"
#include "oracle/report/table.h"
#include "oracle/report/text.h"

namespace plumbline::report_forms_test {
namespace {

using nlohmann::json;

Finding finding(int line, const std::string& what = "assert x") {
  Difference d;
  d.statement = 4;
  d.line = line;
  d.field = Field::version;
  d.expected = "1";
  d.got = "2";
  d.signature = "add_.Tensor/version";
  d.what = what;
  return {d, "the reference (sound)", {}, {}};
}
TestResult result(const std::string& name, Verdict verdict, std::size_t implementation = 0) {
  TestResult r;
  r.file = "corpus/test_a.py";
  r.test = name;
  r.line = 3;
  r.rules = {"INF-06"};
  r.implementation = implementation;
  r.ran = true;
  r.verdict = verdict;
  if (verdict != Verdict::pass) r.message = "why";
  r.statements = 10;
  return r;
}
/// A result of each kind on the first implementation, and one on the second.
RunReport report() {
  RunReport r;
  r.command = "check";
  r.profile = "sound";
  Description d;
  d.name = "libtorch";
  d.version = "2.13.0";
  d.profile = "torch-2.13";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  r.implementations = {{"libtorch-2.13.0", d}, {"optimized", d}};
  r.results = {result("test_good", Verdict::pass),
               result("test_free", Verdict::unspecified),
               result("test_cannot", Verdict::unsupported),
               result("test_beyond", Verdict::unknown),
               result("test_bad", Verdict::divergent),
               result("test_known", Verdict::divergent),
               result("test_broken", Verdict::harness_error),
               result("test_later", Verdict::pass),
               result("test_good", Verdict::pass, 1)};
  r.results[4].findings = {finding(7), finding(0), finding(0, "the run")};
  r.results[5].findings = {finding(8)};
  Waiver waiver;
  waiver.id = "W-1";
  waiver.reason = "known";
  waiver.link = "https://example.org";
  waiver.expires = "2027-06-30";
  r.results[5].findings[0].waiver = waiver;
  r.results[5].waived = true;
  r.results[7].ran = false;
  r.interrupted = true;
  return r;
}

TEST(ReportJson, has_each_result_and_its_findings) {
  const json j = json::parse(report_json(report()));
  EXPECT_EQ(j["command"], "check");
  EXPECT_EQ(j["profile"], "sound");
  ASSERT_EQ(j["results"].size(), 9U);
  const std::vector<std::string> verdicts{"pass",   "unspecified",   "unsupported", "unknown", "divergent",
                                          "waived", "harness-error", "not run",     "pass"};
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const json& one = j["results"][i];
    EXPECT_EQ(one["verdict"], verdicts[i]) << i;
    EXPECT_EQ(one["on"], i == 8 ? "optimized" : "libtorch-2.13.0");
    EXPECT_EQ(one.contains("message"), verdicts[i] != "pass" && verdicts[i] != "not run") << i;
    EXPECT_EQ(one.contains("findings"), verdicts[i] != "not run");
    if (verdicts[i] == "not run") continue;
    EXPECT_EQ(one["statements"], 10);
    EXPECT_EQ(one["unspecified"], 0);
    EXPECT_EQ(one["findings"].size(), i == 4 ? 3U : i == 5 ? 1U : 0U);
  }
  const json& first = j["results"][4]["findings"][0];
  EXPECT_EQ(first["line"], 7);
  EXPECT_EQ(first["statement"], 4);
  EXPECT_EQ(first["field"], "version");
  EXPECT_FALSE(first.contains("thread_field"));
  EXPECT_FALSE(first.contains("waiver"));
  EXPECT_EQ(j["results"][5]["findings"][0]["waiver"]["id"], "W-1");
  EXPECT_EQ(j["not_run"], 1);
  EXPECT_EQ(j["interrupted"], true);
  EXPECT_EQ(j["exit_code"], 130);
  EXPECT_EQ(j["tally"]["passed"], 2);
  EXPECT_EQ(j["tally"]["total"], 8);
  EXPECT_EQ(j["tally"]["waived"], 1);
}

TEST(ReportJson, has_implementations_problems_and_rules) {
  RunReport r = report();
  r.implementations[0].description.fields[0] = Strictness::ignore;
  r.implementations[0].description.thread[0] = Strictness::kind;
  r.problems = {{"test_b.py", 1, 2, "is wrong", "fix it"}};
  r.appendices = {{"variants", "text", 0, "torch-2.13"}};
  r.results[4].findings[0].difference.thread = ThreadField::grad_mode;
  const json j = json::parse(report_json(r));
  ASSERT_EQ(j["implementations"].size(), 2U);
  EXPECT_EQ(j["implementations"][0]["strictness"].size(), kFields + kThreadFields);
  EXPECT_EQ(j["implementations"][0]["strictness"]["dtype"], "ignore");
  EXPECT_EQ(j["implementations"][0]["strictness"]["grad"], "exact");
  EXPECT_EQ(j["implementations"][0]["strictness"]["thread.inference_mode"], "kind");
  EXPECT_EQ(j["implementations"][0]["strictness"]["thread.excluded"], "exact");
  EXPECT_EQ(j["problems"][0]["advice"], "fix it");
  EXPECT_EQ(j["variants"][0]["title"], "variants");
  EXPECT_EQ(j["results"][4]["findings"][0]["thread_field"], "grad_mode");
  const auto row = std::ranges::find_if(j["rules"], [](const json& one) { return one["rule"] == "INF-06"; });
  ASSERT_NE(row, j["rules"].end());
  EXPECT_EQ((*row)["programs"], 8);
  EXPECT_EQ((*row)["on"]["libtorch-2.13.0"],
            json({{"passed", 1}, {"unspecified", 1}, {"waived", 1}, {"divergent", 1}, {"other", 3}}));
  EXPECT_EQ((*row)["on"]["optimized"]["passed"], 1);
  r.command = "run";
  EXPECT_FALSE(json::parse(report_json(r)).contains("rules"));
  EXPECT_TRUE(report_json(r).ends_with("}\n"));
}

TEST(ReportTable, has_a_cell_for_each_implementation_in_columns) {
  const std::string text = table_text(report());
  const std::size_t line = text.find("INF-06");
  ASSERT_NE(line, std::string::npos);
  EXPECT_EQ(text.substr(line, text.find('\n', line) - line),
            "INF-06          8  1 pass, 1 free, 1 waived, 1 FAIL, 3 other  1 pass");
  const std::size_t other = text.find("INF-05");
  EXPECT_EQ(text.substr(other, text.find('\n', other) - other),
            "INF-05          0  -                                          -");
  EXPECT_EQ(text.substr(0, text.find('\n')), "rule     programs  libtorch-2.13.0                            optimized");
}

TEST(ReportTable, has_no_space_at_the_end_of_a_line) {
  RunReport r = report();
  r.implementations.pop_back();
  r.results.pop_back();
  const std::string text = table_text(r);
  EXPECT_EQ(text.substr(0, text.find('\n')), "rule     programs  libtorch-2.13.0");
  EXPECT_EQ(text.find(" \n"), std::string::npos);
}

TEST(ReportText, has_each_result_that_did_not_pass_with_its_findings) {
  const std::string text = results_text(report(), false);
  EXPECT_EQ(text,
            "unspecified   corpus/test_a.py:3 test_free on libtorch-2.13.0  INF-06\n  why\n"
            "unsupported   corpus/test_a.py:3 test_cannot on libtorch-2.13.0  INF-06\n  why\n"
            "unknown       corpus/test_a.py:3 test_beyond on libtorch-2.13.0  INF-06\n  why\n"
            "divergent     corpus/test_a.py:3 test_bad on libtorch-2.13.0  INF-06\n"
            "  corpus/test_a.py:7: assert x\n    expected 1\n    got      2\n"
            "    against the reference (sound); signature: add_.Tensor/version\n"
            "  corpus/test_a.py:3: assert x, in the snapshot at the end\n    expected 1\n    got      2\n"
            "    against the reference (sound); signature: add_.Tensor/version\n"
            "  corpus/test_a.py:3: the run\n    expected 1\n    got      2\n"
            "    against the reference (sound); signature: add_.Tensor/version\n"
            "waived        corpus/test_a.py:3 test_known on libtorch-2.13.0  INF-06\n"
            "  corpus/test_a.py:8: assert x\n    expected 1\n    got      2\n"
            "    against the reference (sound); signature: add_.Tensor/version\n"
            "    waived by W-1 until 2027-06-30: known\n    https://example.org\n"
            "harness-error corpus/test_a.py:3 test_broken on libtorch-2.13.0  INF-06\n  why\n"
            "interrupted: 1 of 9 were not run:\n  test_a.py::test_later on libtorch-2.13.0\n");
  const std::string all = results_text(report(), true);
  EXPECT_TRUE(all.starts_with("pass          corpus/test_a.py:3 test_good on libtorch-2.13.0  INF-06\nunspecified"));
  RunReport plain = report();
  plain.results.resize(1);
  plain.results[0].rules.clear();
  EXPECT_EQ(results_text(plain, true), "pass          corpus/test_a.py:3 test_good on libtorch-2.13.0\n");
  EXPECT_EQ(results_text(plain, false), "");
  plain.results[0] = result("test_it", Verdict::harness_error);
  plain.results[0].findings = {finding(7)};
  EXPECT_TRUE(results_text(plain, false).ends_with("add_.Tensor/version\n  why\n")) << "a worse verdict is printed too";
  plain.stale = {"waiver 'W-1' is stale"};
  EXPECT_TRUE(results_text(plain, false).ends_with("waiver 'W-1' is stale\n"));
}

TEST(ReportText, closes_with_the_waived_statements) {
  EXPECT_EQ(closing_text(report()),
            "90 statements compared: 0 (0.00 %) have a value that the specification does not define, 1 (1.11 %) are "
            "waived\n" +
                report().tally().line() + "\n");
}

TEST(ReportText, describes_a_problem_and_an_implementation) {
  EXPECT_EQ(problem_text({"a.py", 1, 2, "is wrong", "fix it"}), "a.py:1:2: is wrong\n  fix it\n");
  EXPECT_EQ(problem_text({"a.py", 0, 0, "is wrong", ""}), "a.py: is wrong\n");
  RunReport r = report();
  r.implementations[0].description.fields[0] = Strictness::ignore;
  r.implementations[0].description.fields[1] = Strictness::kind;
  r.implementations[0].description.thread[1] = Strictness::ignore;
  r.implementations[0].description.errors = Strictness::kind;
  // Long lines are broken, and the next one is indented.
  const std::string text = std::regex_replace(implementations_text(r), std::regex("\n {12}"), " ");
  EXPECT_TRUE(
      text.starts_with("libtorch-2.13.0: libtorch 2.13.0, profile torch-2.13\n  compared: every reading exactly except "
                       "dtype (not observed), sizes (only whether it raises), grad_mode (not observed); errors "
                       "only whether one is raised; "))
      << text;
  EXPECT_NE(
      text.find(
          "optimized: libtorch 2.13.0, profile torch-2.13\n  compared: every reading exactly; errors by message; "),
      std::string::npos);
}

TEST(ReportExit, a_failed_appendix_counts_last_and_a_harness_error_first) {
  RunReport r = report();
  r.interrupted = false;
  EXPECT_EQ(r.exit_code(), kExitHarness);
  r.problems = {{"test_b.py", 1, 2, "is wrong", "fix it"}};
  EXPECT_EQ(r.exit_code(), kExitHarness);
  r.problems.clear();
  r.results = {result("test_good", Verdict::pass)};
  r.appendices = {{"a", "", 0, ""}, {"b", "", 4, ""}, {"c", "", 5, ""}};
  EXPECT_EQ(r.exit_code(), 4);
  r.stale = {"it"};
  EXPECT_EQ(r.exit_code(), kExitDivergent);
  r.stale.clear();
  r.appendices.clear();
  EXPECT_EQ(r.exit_code(), 0);
  r.require_all = true;
  r.results.push_back(result("test_free", Verdict::unspecified));
  EXPECT_EQ(r.exit_code(), kExitDivergent);
}

TEST(ReportWaivers, waivers_are_asked_only_for_tests_that_ran) {
  Waiver waiver;
  waiver.id = "W-1";
  waiver.tests = {"test_a.py::test_bad"};
  waiver.implementation = "torch-2.13";
  waiver.ops = {"*"};
  waiver.signatures = {"*"};
  RunReport r = report();
  r.results = {result("test_bad", Verdict::divergent)};
  r.results[0].findings = {finding(7)};
  r.results[0].ran = false;
  Waivers waivers({waiver});
  apply_waivers(r, waivers, true);
  EXPECT_FALSE(r.results[0].waived);
  EXPECT_TRUE(r.stale.empty());
  r.results[0].ran = true;
  apply_waivers(r, waivers, true);
  EXPECT_TRUE(r.results[0].waived);
  EXPECT_EQ(r.results[0].findings[0].waiver->id, "W-1");
  EXPECT_TRUE(r.stale.empty());
}

TEST(ReportWaivers, a_waiver_of_a_test_excuses_a_breach_of_that_test) {
  Waiver waiver;
  waiver.id = "W-1";
  waiver.tests = {"test_a.py::test_good"};
  waiver.implementation = "torch-2.13";
  waiver.ops = {"*"};
  waiver.signatures = {"*"};
  RunReport r = report();
  r.results = {result("test_good", Verdict::pass)};
  r.results[0].breaches = {finding(7)};
  Waivers waivers({waiver});
  apply_waivers(r, waivers, true);
  EXPECT_EQ(r.results[0].verdict, Verdict::pass);
  EXPECT_FALSE(r.results[0].waived);
  EXPECT_TRUE(r.results[0].findings.empty());
  ASSERT_EQ(r.results[0].breaches.size(), 1U);
  EXPECT_EQ(r.results[0].breaches[0].waiver->id, "W-1");
  EXPECT_TRUE(r.stale.empty()) << "it was needed";
}

}  // namespace
}  // namespace plumbline::report_forms_test
