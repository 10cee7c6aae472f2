// The table of rules and their pages: cells, problems, the files that they read, and what is out of date.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "prove/rules_command.h"
#include "prove/rules_page.h"
#include "prove/rules_text.h"
#include "spec/rules/inf.h"
#include "spec/rules/op.h"

namespace plumbline::prove {
namespace {

/// Expects that a text contains a part.
void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in\n" << text;
}

/// Two rules: INF-03 has everything, INF-07 has neither obligation nor program.
Facts facts() {
  Facts facts;
  facts.rules = {&INF_03, &INF_07};
  facts.obligations = {{"heap.same-kind", {"INF-03"}, {}}};
  facts.obligations.front().expected.at(static_cast<std::size_t>(Profile::torch_2_13)) = proofs::Verdict::refuted;
  facts.programs = {{"test_views.py::test_one", {"INF-03"}, {}, {"INF-03"}},
                    {"test_views.py::test_other", {}, {}, {"INF-03"}}};
  return facts;
}

constexpr const char* kProofs =
    R"({"how": {"command": "prove"}, "obligations": {"heap.same-kind": {"verdict": "proved", "except": {"torch-2.13": "refuted"}}}})";
constexpr const char* kFlips =
    R"({"how": {"command": "prove --flip all"}, "rules": {"INF-03": {"asked": 1, "fallen": ["heap.same-kind"]}, "INF-07": {"asked": 0, "fallen": []}}})";
constexpr const char* kFuzz = R"({"how": {"command": "hits"},
  "tensors": {"programs": 100, "seed": 1, "rules": {"INF-03": {"hit": 7}, "INF-07": {"hit": 0, "out_of_reach": "it is far"}}},
  "dispatcher": {"programs": 50, "seed": 1, "rules": {}}, "transforms": {"programs": 50, "seed": 1, "rules": {}}, "functionalize": {"programs": 50, "seed": 1, "rules": {}}})";
constexpr const char* kMutants = R"({"how": {"command": "prove --mutants"}, "rules": {
  "INF-03": {"mutants": 4, "killed": 2, "falls": 1, "misreading": 1, "explained": 0},
  "INF-07": {"mutants": 1, "killed": 1, "falls": 0, "misreading": 0, "explained": 0}}})";
constexpr const char* kVerdicts =
    R"({"how": {"date": "2026-11-22"}, "implementations": {"libtorch-9": {"INF-03": {"waived": 1}, "INF-07": {}}}})";
constexpr const char* kReasons = R"([{"rules": ["INF-07"], "unproved": "not proved yet"},
  {"rules": ["INF-07"], "reason": "It only tells which error is raised.", "columns": ["programs", "sound", "rfc-0011", "draft-1", "draft-2", "torch-2.13", "torch-1.13", "ideal", "pr-63048", "libtorch-9"]}])";

using Files = std::map<std::string, std::string>;  ///< text by name

/// A folder of measured files, some of them changed.
class Folder {
 public:
  explicit Folder(const Files& changed = {}) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    Files files{{"proofs.json", kProofs},   {"flips.json", kFlips},       {"fuzz.json", kFuzz},
                {"mutants.json", kMutants}, {"verdicts.json", kVerdicts}, {"reasons.json", kReasons}};
    for (const auto& [name, text] : changed) files[name] = text;
    for (const auto& [name, text] : files)
      if (!text.empty()) std::ofstream(path_ + "/" + name) << text;
  }
  Measured read() const { return read_measured(path_); }
  /// The error when reading the folder.
  std::string refusal() const {
    try {
      read();
    } catch (const MeasuredError& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::string path_ = testing::TempDir() + "plumbline_measured";
};

/// One law, which two faults and three operators break.
Laws laws() {
  const CodePiece code{"sweep/judge.cpp", "void Judging::versions() {}\n"};
  return {"9.0", {{&OP_04, "versions", code, {"does not count", "counts twice"}, 3, false}}, {}};
}

/// The problems of the table, a line each.
std::string problems(const Files& changed) {
  return fmt::format("{}", fmt::join(rules_table(facts(), Folder(changed).read()).problems, "\n"));
}
/// Expects that this is the only problem.
void expect_one(const Files& changed, const std::string& part) {
  const std::string found = problems(changed);
  expect_in(found, part);
  EXPECT_EQ(std::ranges::count(found, '\n'), 0) << found;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(RulesTable, has_a_cell_for_each_rule_and_column) {
  const RulesTable table = rules_table(facts(), Folder().read());
  EXPECT_TRUE(table.problems.empty());
  std::map<std::string, std::string> cells;
  for (std::size_t c = 0; c < table.columns.size(); ++c) cells[table.columns[c]] = table.rows.front().cells.at(c).text;
  EXPECT_EQ(cells["obligations"], "1: heap.same-kind");
  EXPECT_EQ(cells["vacuity"], "0 of 1");
  EXPECT_EQ(cells["mutants"], "4: 2 by proof, 1 by program, 1 misreading");
  EXPECT_EQ(cells["programs"], "1");
  EXPECT_EQ(cells["hits"], "7 tensor");
  EXPECT_EQ(cells["sound"], "1 proved, 1 pass");
  EXPECT_EQ(cells["draft-1"], "as sound");
  EXPECT_EQ(cells["torch-2.13"], "**variant** 1 fail");
  EXPECT_EQ(cells["libtorch-9"], "1 waived");
}

TEST(RulesTable, the_index_has_a_row_for_each_rule) {
  const std::string text = rules_markdown(rules_table(facts(), Folder().read()), Folder().read(), laws());
  expect_in(text, "| rule | sentence | obligations | mutants | programs | hits | libtorch-9 | variants |");
  expect_in(text,
            "| [INF-03](rules/INF-03.md) | A view is an inference tensor iff the tensor that it is a view of is one, "
            "whatever the mode. |");
  expect_in(text, " | 1 | 4 | 1 | 7 tensor | 1 waived | torch-2.13, torch-1.13 |\n");
  expect_in(text, " | – | 1 | – | – | – |  |\n");
}

TEST(RulesTable, the_laws_have_a_section_of_their_own) {
  const std::string text = rules_markdown(rules_table(facts(), Folder().read()), Folder().read(), laws());
  expect_in(text, "\n## OP: every operator, by its schema\n");
  expect_in(text, "| rule | sentence | held by | planted faults | libtorch-9.0 |\n");
  expect_in(text, "| [OP-04](rules/OP-04.md) | " + std::string(OP_04.text().sentence) +
                      " | the sweep: [`versions`](../sweep/judge.cpp) | 2 | 3 operators break it |\n");
}

TEST(RulesLaws, are_found_in_the_comments_of_the_sweep_and_in_the_names_of_its_faults) {
  const auto judges = judges_in(
      "/// Verdicts.\n  void refusals();  ///< OP-05, OP-06\n  /// OP-12, OP-22.\n  void metadata(Setting setting);\n"
      "/// OP-11, of a call.\nJudged judge_refusal(const Operator& op,\n  /// OP-02 is elsewhere\n  int other;\n"
      "  bool is_random() const;\n");
  EXPECT_EQ(judges, (std::map<std::string, std::string>{
                        {"OP-05", "refusals"}, {"OP-06", "refusals"}, {"OP-12", "metadata"}, {"OP-22", "metadata"}}));
  const auto faults = faults_in("def fault_03_returns_a_copy(x):\ndef fault_03_returns_none(x):\ndef mode_is(grad):\n");
  EXPECT_EQ(faults, (std::map<std::string, std::vector<std::string>>{{"OP-03", {"returns a copy", "returns none"}}}));
}

TEST(RulesLaws, each_of_the_repository_has_code_and_faults_and_was_measured) {
  const Laws all = read_laws(".");
  EXPECT_EQ(fmt::format("{}", fmt::join(all.problems, "\n")), "");
  EXPECT_EQ(all.rows.size(), 23U);
  for (const LawRow& row : all.rows) expect_in(row.code.text, row.function + "(");
  EXPECT_THROW((void)read_laws("/nowhere"), std::runtime_error);
}

TEST(RulesCode, a_function_is_cut_out_by_its_name) {
  const std::string file = "void f() {\n  g();\n}\n\n/// Calls f.\nint g() {\n  return f();\n}\n";
  EXPECT_EQ(cut_function("a.cpp", file, "g").text, "/// Calls f.\nint g() {\n  return f();\n}\n");
  EXPECT_EQ(cut_function("a.cpp", file, "h").text, "");
  EXPECT_EQ(cut_function("a.cpp", file, "").text, "");
}

PageSources sources() {
  PageSources sources;
  sources.code["INF-03"] = {"spec/rules/inf.h", {{"spec/rules/inf.h", "int f() { return judge(INF_03); }\n"}}};
  sources.links[{"INF-03", ""}] = {"https://example.org/a/RFC.md#L3", "KEY-01"};
  sources.links[{"INF-03", "torch-2.13"}] = {"https://example.org/b/ops.cpp"};
  Waiver waiver;
  waiver.id = "W-01";
  waiver.rules = {"INF-03"};
  waiver.implementation = "torch-2.13";
  waiver.reason = "It is a known bug.";
  waiver.link = "https://example.org/issues/1";
  waiver.expires = "2027-06-30";
  sources.waivers = {waiver, waiver};
  sources.waivers.back().implementation = "torch-1.13";
  return sources;
}

/// The page of one of the two rules.
std::string page(std::size_t row, const Files& changed = {}) {
  const Measured measured = Folder(changed).read();
  const RulesTable table = rules_table(facts(), measured);
  return rule_page(table, table.rows.at(row), facts(), measured, sources());
}

TEST(RulesPage, has_everything_that_is_known_of_the_rule) {
  const std::string text = page(0);
  expect_in(text, "# INF-03: inference tensors and mode\n\n**" + std::string(INF_03.text().sentence) + "**\n");
  expect_in(text,
            std::string(INF_03.text().source) + " ([RFC.md#L3](https://example.org/a/RFC.md#L3), [KEY-01](KEY-01.md))");
  expect_in(text, "notices it: " + std::string(INF_03.text().misreading));
  expect_in(text,
            "[spec/rules/inf.h](../../spec/rules/inf.h), its text in "
            "[spec/rules/text/inf.cpp](../../spec/rules/text/inf.cpp). It is asked there:\n\n```cpp\nint f()");
  expect_in(text, "- **torch-2.13**: " + std::string(INF_03.variant(Profile::torch_2_13)->sentence));
  expect_in(text, " ([ops.cpp](https://example.org/b/ops.cpp)).");
  expect_in(text, "| mutants | 4: 2 by proof, 1 by program, 1 misreading |");
  expect_in(text, "1 fails if the rule is misread (`plumbline prove --flip INF-03`): `heap.same-kind`.");
  expect_in(text, "misread.\n\n- [test_views.py::test_one](../../fuzz/corpus/test_views.py)\n");
  expect_in(text, "Other programs that fail if it is misread: 1:\n\n- [test_views.py::test_other]");
  expect_in(text, "| libtorch-9 | 1 waived |");
  expect_in(text, "- **W-01** on torch-2.13 and torch-1.13, until 2027-06-30: It is a known bug. ([1](https://");
}

TEST(RulesLaws, have_a_page_with_what_judges_by_them_and_what_shows_them) {
  PageSources known = sources();
  known.code["OP-04"].file = "spec/rules/op.h";
  known.links[{"OP-04", ""}] = {"https://example.org/a/gen.py#L3"};
  const std::string text = law_page(laws(), laws().rows.front(), known);
  expect_in(text, "# OP-04: every operator, by its schema\n\n**" + std::string(OP_04.text().sentence) + "**\n");
  expect_in(text, " ([gen.py#L3](https://example.org/a/gen.py#L3))\n");
  expect_in(text, "tells from the law: " + std::string(OP_04.text().misreading));
  expect_in(text, "its text in [spec/rules/text/op.cpp](../../spec/rules/text/op.cpp). The sweep judges by it in ");
  expect_in(text, "```cpp\nvoid Judging::versions() {}\n```\n");
  expect_in(text, "\n- does not count\n- counts twice\n");
  expect_in(text, "| libtorch-9.0 | 3 operators break it |\n");
}

TEST(RulesPage, a_missing_number_shows_its_reason) {
  const std::string text = page(1);
  expect_in(text, "| obligations, vacuity | none: not proved yet. No obligation asks it yet.");
  expect_in(text, "ideal, pr-63048, libtorch-9 | none: It only tells which error is raised. |");
  expect_in(text, "| hits | none: it is far |");
  expect_in(text, "No curated program names the rule.");
  EXPECT_EQ(text.find("## Variants"), std::string::npos);
  EXPECT_EQ(text.find("## Waivers"), std::string::npos);
}

TEST(RulesPage, a_program_that_passes_under_the_misreading_says_so) {
  Facts other = facts();
  other.programs.front().reddened_by.clear();
  const Measured measured = Folder().read();
  const RulesTable table = rules_table(other, measured);
  expect_in(rule_page(table, table.rows.front(), other, measured, sources()),
            "test_views.py): passes also if the rule is misread\n");
}

TEST(RulesPage, a_page_that_is_missing_stale_or_of_no_rule_is_reported_by_name) {
  const std::string folder = testing::TempDir() + "plumbline_pages";
  std::filesystem::remove_all(folder);
  const Pages pages{{"INF-03.md", "a\n"}, {"INF-07.md", "b\n"}};
  EXPECT_EQ(stale_pages(folder, pages).size(), 2U);
  write_pages(folder, pages);
  EXPECT_EQ(stale_pages(folder, pages), std::vector<std::string>());
  std::ofstream(folder + "/INF-03.md") << "x\n";
  std::filesystem::remove(folder + "/INF-07.md");
  std::ofstream(folder + "/INF-99.md") << "c\n";
  const std::vector<std::string> stale = stale_pages(folder, pages);
  ASSERT_EQ(stale.size(), 3U);
  expect_in(stale[0], "INF-03.md:1: out of date: it has 'x'");
  expect_in(stale[1], "INF-07.md: missing; run plumbline prove --table --write");
  expect_in(stale[2], "INF-99.md: no rule has this page");
  write_pages(folder, pages);
  EXPECT_EQ(stale_pages(folder, pages), std::vector<std::string>());
}

TEST(RulesCode, the_functions_that_ask_a_rule_are_cut_out_with_their_comments) {
  std::map<std::string, RuleCode> code;
  cut_rules("a.h",
            "inline constexpr Rule INF_03{Family::INF, 3};\n\n/// Says it.\ntemplate <Domain D>\n"
            "constexpr Bool<D> f() {\n  return judge(INF_03);\n}\ninline constexpr int g = 0;\n",
            code);
  EXPECT_EQ(code["INF-03"].file, "a.h");
  ASSERT_EQ(code["INF-03"].pieces.size(), 1U);
  EXPECT_EQ(code["INF-03"].pieces.front().text,
            "/// Says it.\ntemplate <Domain D>\nconstexpr Bool<D> f() {\n  return judge(INF_03);\n}\n");
}

TEST(RulesCode, a_rule_that_no_function_asks_shows_the_statements_of_the_reference) {
  std::map<std::string, RuleCode> code;
  code["FUN-02"].file = code["INF-03"].file = "spec/rules/a.h";
  code["INF-03"].pieces = {{"spec/rules/a.h", "f\n"}};
  cut_statements("reference/b.cpp",
                 "void f() {\n  // FUN_02 here\n  if (follows(FUN_02) &&\n      g(INF_03))\n    h();\n}\n", code);
  EXPECT_EQ(code["INF-03"].pieces.size(), 1U);
  ASSERT_EQ(code["FUN-02"].pieces.size(), 1U);
  EXPECT_EQ(code["FUN-02"].pieces.front().text, "// FUN_02 here\nif (follows(FUN_02) &&\n    g(INF_03))\n  h();\n");
}

TEST(RulesTable, an_empty_cell_without_a_reason_is_a_problem) {
  expect_one(
      {{"reasons.json", replaced(kReasons, "\"programs\", ", "")}},
      "docs/RULES.md: INF-07's programs is empty; docs/measured/refresh.py measures it. If it stays empty, write the "
      "reason into docs/measured/reasons.json");
}

TEST(RulesTable, a_reason_that_nothing_needs_is_a_problem) {
  expect_one({{"reasons.json", replaced(kReasons, "\"programs\"", "\"programs\", \"mutants\"")}},
             "entry 2: INF-07's mutants is not empty (1: 1 by proof)");
  expect_one({{"reasons.json", replaced(kReasons, "\"programs\"", "\"programs\", \"hits\"")}},
             "entry 2: INF-07's hits already has a reason");
}

TEST(RulesTable, a_rule_with_an_obligation_needs_no_reason_why_it_has_none) {
  const std::string found = problems({{"reasons.json", replaced(kReasons, "\"INF-07\"", "\"INF-07\", \"INF-03\"")}});
  expect_in(found, "entry 1: INF-03's obligations is not empty (1: heap.same-kind), so it needs no reason");
}

TEST(RulesTable, counts_why_no_obligation_asks_a_rule) {
  const auto text = [](const std::string& reason) {
    const Measured measured = Folder({{"reasons.json", replaced(kReasons, "not proved yet", reason)}}).read();
    return rules_markdown(rules_table(facts(), measured), measured, laws());
  };
  expect_in(text("not proved yet"), "| not proved yet | 1 | ");
  expect_in(text("not proved yet"), "| values | 0 | ");
  expect_in(text("not proved yet"), "\n1 of 2 rules have no obligation, and are not about values.\n");
  expect_in(text("values"), "| values | 1 | ");
  expect_in(text("values"), "\n0 of 2 rules have no obligation");
}

TEST(RulesTable, the_reason_of_a_choice_is_its_texts) {
  expect_one({{"reasons.json", replaced(kReasons, "not proved yet", "a text's choice")}},
             "entry 1: the reason 'a text's choice' of INF-07 does not fit its text, whose .choice is \"\"");
}

TEST(RulesTable, a_reason_names_a_rule_and_a_column) {
  expect_one({{"reasons.json", replaced(kReasons, "\"programs\"", "\"programs\", \"vacuum\"")}},
             "entry 2: unknown column 'vacuum'; the columns are obligations, vacuity, mutants");
  expect_one({{"reasons.json", replaced(kReasons, "\"INF-07\"", "\"INF-07\", \"INF-99\"")}},
             "entry 1: unknown rule INF-99");
}

TEST(RulesTable, an_outdated_measurement_is_a_problem) {
  const std::string renamed = problems({{"proofs.json", replaced(kProofs, "heap.same-kind", "heap.old")}});
  expect_in(renamed, "proofs.json: measured before the obligation heap.same-kind existed; run docs/");
  expect_in(renamed, "proofs.json: the obligation heap.old no longer exists");
  expect_in(problems({{"mutants.json", replaced(kMutants, "INF-07", "INF-66")}}),
            "mutants.json: measured before the rule INF-07 existed");
  expect_one({{"verdicts.json", replaced(kVerdicts, "\"waived\": 1", "\"waived\": 2")}},
             "verdicts.json: 2 programs named INF-03 when libtorch-9 was measured, now 1");
}

TEST(RulesTable, flips_that_were_measured_before_a_change_are_a_problem) {
  expect_one({{"flips.json", replaced(kFlips, "\"asked\": 1", "\"asked\": 2")}},
             "flips.json: 2 obligations asked INF-03 when it was measured, now 1");
  expect_one({{"flips.json", replaced(kFlips, "heap.same-kind", "heap.old")}},
             "flips.json: the obligation heap.old no longer exists");
}

TEST(RulesTable, a_proof_that_is_vacuous_or_unexpected_is_a_problem) {
  expect_one({{"proofs.json", replaced(kProofs, "\"proved\"", "\"proved\", \"vacuous\": [\"sound\"]")}},
             "heap.same-kind is vacuous in sound");
  expect_one({{"proofs.json", replaced(kProofs, "refuted", "unknown")}},
             "heap.same-kind is not as expected in torch-2.13");
}

TEST(RulesTable, a_mutant_that_nothing_shows_or_explains_is_a_problem) {
  expect_one({{"mutants.json", replaced(kMutants, "\"killed\": 2", "\"killed\": 1")}},
             "INF-03 has 1 mutants that nothing");
}

struct Malformed {
  const char* file;
  const char* what;
  const char* by;
  const char* told;
};

TEST(RulesTable, a_malformed_file_is_refused_with_file_and_key) {
  const Files files{{"proofs.json", kProofs},   {"flips.json", kFlips},       {"fuzz.json", kFuzz},
                    {"mutants.json", kMutants}, {"verdicts.json", kVerdicts}, {"reasons.json", kReasons}};
  for (const Malformed& one :
       {Malformed{"proofs.json", "\"refuted\"", "\"false\"", "at $.obligations.heap.same-kind.except.torch-2.13"},
        Malformed{"proofs.json", "torch-2.13", "torch-9", "the name of a profile instead of 'torch-9'"},
        Malformed{"flips.json", "\"asked\": 1", "\"asked\": \"1\"", "at $.rules.INF-03.asked"},
        Malformed{"fuzz.json", "\"hit\": 7", "\"hit\": -7", "at $.tensors.rules.INF-03.hit"},
        Malformed{"fuzz.json", "\"seed\": 1, ", "", "expected a member \"seed\""},
        Malformed{"mutants.json", "\"mutants\": 4", "\"mutants\": 3", "at $.rules.INF-03: expected no more"},
        Malformed{"mutants.json", "\"how\": {\"command\": \"prove --mutants\"}, ", "", "a member \"how\""},
        Malformed{"verdicts.json", "waived", "forgiven", "at $.implementations.libtorch-9.INF-03: expected verdicts"},
        Malformed{"reasons.json", "It only tells which error is raised.", " ", "at $[1].reason"},
        Malformed{"reasons.json", "proved yet", "needed", "at $[0].unproved: expected one of \"values\", \"a text's"},
        Malformed{"reasons.json", "proved yet", "needed", "\"not proved yet\" instead of \"not needed\""},
        Malformed{"reasons.json", "\"unproved\"", "\"columns\": [], \"unproved\"",
                  "at $[0]: expected \"unproved\" alone"},
        Malformed{"reasons.json", "\"programs\"", "\"vacuity\"", "at $[1]: expected \"unproved\" with a name"},
        Malformed{"reasons.json", "[{", "{", "it is not JSON"}}) {
    const std::string refusal = Folder(Files{{one.file, replaced(files.at(one.file), one.what, one.by)}}).refusal();
    expect_in(refusal, one.file);
    expect_in(refusal, one.told);
  }
}

TEST(RulesTable, the_error_for_a_missing_file_says_what_makes_it) {
  expect_in(Folder(Files{{"mutants.json", ""}}).refusal(), "mutants.json; docs/measured/refresh.py makes it");
}

TEST(RulesTable, a_stale_file_is_reported_with_its_first_different_line) {
  EXPECT_EQ(staleness("RULES.md", "a\nb\n", "a\nb\n"), "");
  expect_in(staleness("RULES.md", "a\nb\nc\n", "a\nx\nc\n"),
            "RULES.md:2: out of date: it has 'b'\n  but should have 'x'");
  expect_in(staleness("RULES.md", "a\n", "a\nb\n"), "RULES.md:2: out of date: it has its end");
}

}  // namespace
}  // namespace plumbline::prove
