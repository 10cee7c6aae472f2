// Reports on one screen: at most 40 lines, the known by counts, and last what is new by name.
#include "oracle/report/summary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/report/severity.h"
#include "oracle/report/table.h"

namespace plumbline::summary_test {
namespace {

std::size_t lines_in(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

Finding finding(const std::string& signature) {
  Difference d;
  d.line = 7;
  d.what = "assert x";
  d.signature = signature;
  return {d, "the program's expectations", {}, {}};
}

TestResult divergent(const std::string& name, const std::string& signature) {
  TestResult r;
  r.file = "corpus/test_a.py";
  r.test = name;
  r.line = 3;
  r.rules = {"INF-05"};
  r.ran = true;
  r.verdict = Verdict::divergent;
  r.message = "why";
  r.findings = {finding(signature)};
  return r;
}

TestResult waived(const std::string& name, const std::string& rule) {
  TestResult r = divergent(name, "add_.Tensor/values");
  Waiver waiver;
  waiver.id = "W-1";
  waiver.rules = {rule};
  r.findings[0].waiver = waiver;
  r.waived = true;
  return r;
}

/// 60 results that a waiver excuses, of four severities.
RunReport known() {
  RunReport r;
  r.command = "check";
  Description torch;
  torch.name = "libtorch";
  torch.profile = "torch-2.13";
  r.implementations = {{"libtorch-2.13.0", torch}};
  for (int i = 0; i < 60; ++i)
    r.results.push_back(waived(fmt::format("test_{}", i), std::array{"VIEW-18", "INF-03", "INF-06", "GEO-27"}.at(
                                                              static_cast<std::size_t>(i % 4))));
  return r;
}

std::string summary(const RunReport& report, std::size_t lines = kScreenLines) {
  return summary_text(report, {Screen{}, lines, "Everything: there"});
}

TEST(Summary, a_release_without_a_profile_is_named_with_the_nearest_one) {
  RunReport r = known();
  EXPECT_EQ(summary(r).find("the nearest is"), std::string::npos);
  r.implementations[0].description.version = "2.9.1";
  EXPECT_NE(summary(r).find("libtorch 2.9.1 has no profile of its own; the nearest is torch-2.13\n"),
            std::string::npos);
}

TEST(Summary, known_differences_are_counted_by_rule_with_the_most_severe_first) {
  RunReport r = known();
  r.results.push_back(divergent("test_good", ""));
  r.results.back().verdict = Verdict::pass;
  r.results.back().findings.clear();
  const std::string text = summary(r);
  EXPECT_EQ(text,
            "Known: 60 of 61 runs differ as waivers say. By what they break, runs by rule:\n"
            "  immutability: INF-06:15\n"
            "  no-aliasing: INF-03:15\n"
            "  another promise: GEO-27:15\n"
            "  no invariant: VIEW-18:15\n"
            "Next: nothing. plumbline explain FILE --on NAME says why a known one differs.\n"
            "Everything: there\n"
            "New: nothing.\n"
            "1 of 61 passed, 0 unsupported, 0 unspecified, 0 divergent, 60 waived\n");
}

TEST(Summary, says_what_to_do_where_no_program_passed) {
  RunReport r = known();
  r.results = {divergent("test_unknown_op", "")};
  r.results.back().verdict = Verdict::unsupported;
  r.results.back().findings.clear();
  EXPECT_NE(summary(r).find("Next: name other programs or implementations; no program passed."), std::string::npos);
}

TEST(Summary, a_new_divergence_among_known_ones_is_named_last) {
  RunReport r = known();
  r.results.insert(r.results.begin() + 5, divergent("test_surprise", "mul_/version"));
  const std::string text = summary(r);
  const std::size_t heading = text.find("New: 1 divergence, the most severe first:\n");
  ASSERT_NE(heading, std::string::npos) << text;
  EXPECT_NE(text.find("test_surprise on libtorch-2.13.0", heading), std::string::npos) << text;
  EXPECT_NE(text.find("signature: mul_/version", heading), std::string::npos) << text;
  EXPECT_LT(text.find("Known: 60 of 61"), heading);
  EXPECT_LT(text.find("Everything: there"), heading);
  EXPECT_NE(text.find("Next: plumbline explain corpus/test_a.py::test_surprise --on 'libtorch-2.13.0'"),
            std::string::npos);
  EXPECT_TRUE(text.ends_with("0 of 61 passed, 0 unsupported, 0 unspecified, 1 divergent, 60 waived\n")) << text;
}

TEST(Summary, a_breach_of_an_invariant_stands_before_a_difference) {
  RunReport r = known();
  r.results.push_back(divergent("test_differs", "add_.Tensor/strides"));
  r.results.push_back(divergent("test_breaks", "add_.Tensor/immutability: values"));
  const std::string text = summary(r);
  ASSERT_NE(text.find("test_differs"), std::string::npos);
  EXPECT_LT(text.find("test_breaks", text.find("New: 2")), text.find("test_differs", text.find("New: 2")));
}

TEST(Summary, every_new_divergence_has_a_line_where_its_details_have_no_room) {
  RunReport r = known();
  for (int i = 0; i < 25; ++i) r.results.push_back(divergent(fmt::format("test_new_{}", i), fmt::format("op{}/x", i)));
  const std::string text = summary(r);
  EXPECT_LE(lines_in(text), kScreenLines) << text;
  for (int i = 0; i < 25; ++i)
    EXPECT_NE(text.find(fmt::format("test_a.py::test_new_{} on libtorch-2.13.0: op{}/x\n", i, i)), std::string::npos)
        << i;
}

TEST(Summary, a_rare_divergence_is_named_among_hundreds_of_another_kind) {
  RunReport r = known();
  for (int i = 0; i < 500; ++i) r.results.push_back(divergent(fmt::format("test_new_{}", i), "run/crash"));
  r.results.push_back(divergent("test_rare", "add_.Tensor/strides"));
  for (const std::size_t lines : {10U, 26U, 40U}) {
    const std::string text = summary(r, lines);
    EXPECT_LE(lines_in(text), lines) << text;
    EXPECT_NE(text.find("New: 501 divergences"), std::string::npos) << text;
    EXPECT_NE(text.find("run/crash (and 499 more programs)"), std::string::npos) << text;
    EXPECT_NE(text.find("test_rare on libtorch-2.13.0: add_.Tensor/strides"), std::string::npos) << text;
  }
}

TEST(Summary, every_kind_of_failure_fits_one_screen) {
  RunReport r = known();
  for (int i = 0; i < 100; ++i) {
    r.results.push_back(divergent(fmt::format("test_new_{}", i), fmt::format("op{}/x", i)));
    TestResult broken = divergent("test_broken", "");
    broken.verdict = i % 2 == 0 ? Verdict::harness_error : Verdict::unsupported;
    broken.message = fmt::format("reason {}", i);
    broken.findings.clear();
    r.results.push_back(broken);
    r.results.push_back(broken);
    r.results.back().ran = false;
    r.problems.push_back({"test_b.py", i + 1, 2, "is wrong", "fix it"});
    r.stale.push_back(fmt::format("waiver 'W-{}' is stale", i));
  }
  r.interrupted = true;
  r.appendices = {{"Where torch-2.13 differs from sound", "text\n", 0, "torch-2.13"},
                  {"The dispatcher", "bad\n", 1, ""}};
  const std::string text = summary(r);
  EXPECT_LE(lines_in(text), kScreenLines) << text;
  EXPECT_NE(text.find("New: 150 divergences"), std::string::npos) << text;
  EXPECT_NE(text.find("The dispatcher (exit code 1): bad"), std::string::npos) << text;
}

TEST(Summary, a_profile_has_a_line_for_each_severity_and_its_unconfirmed_rules_are_new) {
  const std::string variants =
      "\nINF-06  A sentence.\n  torch-2.13: another\n  breaks: immutability\n  libtorch: NOT CONFIRMED: pass: no\n"
      "\ndef test():\n    pass\n\nGEO-27  Another.\n  NO PROGRAM FOUND: try more --programs\n\n29 rules differ\n";
  EXPECT_EQ(unconfirmed_in(variants), (std::vector<std::string>{"INF-06", "GEO-27"}));
  RunReport r = known();
  r.appendices = {{"Where torch-2.13 differs from sound", variants, 1, "torch-2.13"}};
  const std::string text = summary(r);
  EXPECT_NE(text.find("Where torch-2.13 differs from sound: 44 rules, by what they break; NOT as expected, see below\n "
                      " immutability: INF-06 VER-06,13,18 AUT-60\n"
                      "  no-aliasing: INF-03\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("(exit code 1): not as the profile says: INF-06 GEO-27\n", text.find("Everything: there")),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("New: nothing"), std::string::npos);
}

TEST(Summary, has_colour_only_where_the_screen_has) {
  RunReport r = known();
  r.results.push_back(divergent("test_surprise", "mul_/version"));
  EXPECT_EQ(summary(r).find('\033'), std::string::npos);
  Screen screen;
  screen.colour = true;
  EXPECT_NE(summary_text(r, {screen, kScreenLines, ""}).find("\033[31mNew: 1 divergence"), std::string::npos);
  EXPECT_EQ(family_table_text(r, Screen{}).find('\033'), std::string::npos);
  EXPECT_NE(family_table_text(r, screen).find("\033[31m60w 1 NEW\033[0m"), std::string::npos)
      << family_table_text(r, screen);
}

TEST(FamilyTable, a_program_counts_once_in_the_row_of_each_family_that_it_names) {
  RunReport r = known();
  r.results.clear();
  r.results.push_back(divergent("test_a", "x/y"));
  r.results.back().rules = {"INF-05", "INF-06", "VER-01"};
  const std::vector<Row> rows = family_table(r);
  ASSERT_EQ(rows.size(), 17U);
  for (const Row& row : rows) {
    const bool named = row.rule == "INF" || row.rule == "VER";
    EXPECT_EQ(row.programs, named ? 1U : 0U) << row.rule;
    EXPECT_EQ(row.cells.at(0).divergent, named ? 1U : 0U) << row.rule;
  }
}

TEST(FamilyTable, is_no_wider_than_the_screen) {
  RunReport r = known();
  for (int i = 0; i < 9; ++i) r.implementations.push_back({fmt::format("libtorch-2.13.{}", i), {}});
  for (const std::size_t width : {40U, 80U, 200U}) {
    Screen screen;
    screen.width = width;
    std::string text = family_table_text(r, screen);
    EXPECT_EQ(text.find("(too narrow for ") == std::string::npos, width == 200U) << text;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      EXPECT_LE(end, std::max<std::size_t>(width, 80)) << text.substr(0, end);
      text.erase(0, end + 1);
    }
  }
}

TEST(Severity, ids_are_short) {
  EXPECT_EQ(ids_text({"INF-03", "INF-06", "FUN-21", "FUN-22", "FUN-23", "FUN-25", "FUN-26"}),
            "INF-03,06 FUN-21..23,25,26");
  EXPECT_EQ(ids_text({}), "");
}

TEST(Severity, long_lines_break_between_words) {
  EXPECT_EQ(wrapped("aaa bbb ccc", 7, 2), (std::vector<std::string>{"aaa bbb", "  ccc"}));
  EXPECT_EQ(wrapped("aaaaaaaaaa b", 4, 2), (std::vector<std::string>{"aaaaaaaaaa", "  b"}));
}

TEST(Screen, a_terminal_breaks_long_lines) {
  Screen screen;
  screen.width = 10;
  EXPECT_EQ(screen.lines_of("a\n12345678901\n"), 2U);
  screen.terminal = true;
  EXPECT_EQ(screen.lines_of("a\n12345678901\n"), 3U);
}

}  // namespace
}  // namespace plumbline::summary_test
