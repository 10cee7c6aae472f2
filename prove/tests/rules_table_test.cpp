// The table of rules: its cells, its problems, the files that it reads, and when docs/RULES.md is out of date.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "prove/rules_command.h"
#include "prove/rules_text.h"
#include "spec/rules/inf.h"

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
  facts.programs = {{"test_views.py::test_one", {"INF-03"}, {}}};
  return facts;
}

constexpr const char* kProofs =
    R"({"how": {"command": "prove"}, "obligations": {"heap.same-kind": {"verdict": "proved", "except": {"torch-2.13": "refuted"}}}})";
constexpr const char* kFuzz = R"({"how": {"command": "hits"},
  "tensors": {"programs": 100, "seed": 1, "rules": {"INF-03": {"hit": 7}, "INF-07": {"hit": 0, "out_of_reach": "it is far"}}},
  "dispatcher": {"programs": 50, "seed": 1, "rules": {}}, "functionalize": {"programs": 50, "seed": 1, "rules": {}}})";
constexpr const char* kMutants = R"({"how": {"command": "prove --mutants"}, "rules": {
  "INF-03": {"mutants": 4, "killed": 2, "falls": 1, "misreading": 1, "explained": 0},
  "INF-07": {"mutants": 1, "killed": 1, "falls": 0, "misreading": 0, "explained": 0}}})";
constexpr const char* kVerdicts =
    R"({"how": {"date": "2026-11-22"}, "implementations": {"libtorch-9": {"INF-03": {"waived": 1}, "INF-07": {}}}})";
constexpr const char* kReasons = R"([{"rules": ["INF-07"], "reason": "It only tells which error is raised.",
  "columns": ["obligations", "vacuity", "programs", "sound", "rfc-0011", "draft-1", "draft-2", "torch-2.13", "torch-1.13", "ideal", "libtorch-9"]}])";

using Files = std::map<std::string, std::string>;  ///< text by name

/// A folder of measured files, some of them changed.
class Folder {
 public:
  explicit Folder(const Files& changed = {}) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    Files files{{"proofs.json", kProofs},
                {"fuzz.json", kFuzz},
                {"mutants.json", kMutants},
                {"verdicts.json", kVerdicts},
                {"reasons.json", kReasons}};
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

TEST(RulesTable, an_empty_cell_shows_its_reason) {
  const RulesTable table = rules_table(facts(), Folder().read());
  EXPECT_EQ(table.reasons, (std::vector<std::string>{"It only tells which error is raised.", "it is far"}));
  const std::string text = rules_markdown(table, Folder().read());
  expect_in(text, "| INF-07 | none[^1] | none[^1] | 1: 1 by proof | none[^1] | none[^2] |");
  expect_in(text, "[^2]: it is far\n");
}

TEST(RulesTable, an_empty_cell_without_a_reason_is_a_problem) {
  expect_one({{"reasons.json", replaced(kReasons, "\"vacuity\", ", "")}},
             "docs/RULES.md: INF-07's vacuity is empty; write the reason into docs/measured/reasons.json");
}

TEST(RulesTable, a_reason_that_nothing_needs_is_a_problem) {
  expect_one({{"reasons.json", replaced(kReasons, "\"vacuity\"", "\"vacuity\", \"mutants\"")}},
             "entry 1: INF-07's mutants is not empty (1: 1 by proof)");
  expect_one({{"reasons.json", replaced(kReasons, "\"vacuity\"", "\"vacuity\", \"hits\"")}},
             "entry 1: INF-07's hits already has a reason");
}

TEST(RulesTable, a_reason_names_a_rule_and_a_column) {
  expect_one({{"reasons.json", replaced(kReasons, "\"vacuity\"", "\"vacuity\", \"vacuum\"")}},
             "entry 1: unknown column 'vacuum'; the columns are obligations, vacuity, mutants");
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
  const Files files{{"proofs.json", kProofs},
                    {"fuzz.json", kFuzz},
                    {"mutants.json", kMutants},
                    {"verdicts.json", kVerdicts},
                    {"reasons.json", kReasons}};
  for (const Malformed& one :
       {Malformed{"proofs.json", "\"refuted\"", "\"false\"", "at $.obligations.heap.same-kind.except.torch-2.13"},
        Malformed{"proofs.json", "torch-2.13", "torch-9", "the name of a profile instead of 'torch-9'"},
        Malformed{"fuzz.json", "\"hit\": 7", "\"hit\": -7", "at $.tensors.rules.INF-03.hit"},
        Malformed{"fuzz.json", "\"seed\": 1, ", "", "expected a member \"seed\""},
        Malformed{"mutants.json", "\"mutants\": 4", "\"mutants\": 3", "at $.rules.INF-03: expected no more"},
        Malformed{"mutants.json", "\"how\": {\"command\": \"prove --mutants\"}, ", "", "a member \"how\""},
        Malformed{"verdicts.json", "waived", "forgiven", "at $.implementations.libtorch-9.INF-03: expected verdicts"},
        Malformed{"reasons.json", "It only tells which error is raised.", " ", "at $[0].reason"},
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
