// The inventory of sentences, and the table of the programs that name them.
#include "tables/coverage.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace plumbline::tables {
namespace {

using nlohmann::json;

json entry(const std::string& id) { return {{"id", id}, {"lines", "70"}, {"says", "a view takes its base's bit"}}; }

const std::string& written(const std::string& text) {
  static const std::string path = testing::TempDir() + "plumbline_sentences.json";
  std::ofstream(path) << text;
  return path;
}

std::vector<Sentence> load(const json& entries) { return load_sentences(written(json{{"sentences", entries}}.dump())); }

/// The error message for a file.
std::string refusal(const std::string& text) {
  try {
    load_sentences(written(text));
    return "accepted";
  } catch (const SentencesError& error) {
    return error.what();
  }
}

/// The same for an entry with one member replaced.
std::string refusal_of(const std::string& name, const json& value) {
  json one = entry("F-01");
  one[name] = value;
  return refusal(json{{"sentences", json::array({one})}}.dump());
}

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in: " << text;
}

TEST(Sentences, are_read_in_order) {
  json excused = entry("D-02");
  excused["reason"] = "a goal";
  const std::vector<Sentence> sentences = load({entry("F-07"), entry("F-100"), excused});
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_EQ(sentences[0].id, "F-07");
  EXPECT_EQ(sentences[0].lines, "70");
  EXPECT_EQ(sentences[0].says, "a view takes its base's bit");
  EXPECT_EQ(sentences[0].reason, "");
  EXPECT_EQ(sentences[2].reason, "a goal");
}

TEST(Sentences, a_malformed_file_is_refused) {
  EXPECT_TRUE(has(refusal("{"), "plumbline_sentences.json: is not JSON"));
  EXPECT_TRUE(has(refusal("[]"), R"(does not have the form {"sentences": […]})"));
  EXPECT_TRUE(has(refusal(R"({"sentences": [], "more": 1})"), "does not have the form"));
  EXPECT_TRUE(has(refusal(R"({"sentences": [3]})"), "sentence 1 is not an object"));
  EXPECT_THROW(load_sentences("/no/such/file.json"), SentencesError);
}

TEST(Sentences, a_malformed_entry_is_refused_by_number_and_id) {
  EXPECT_TRUE(has(refusal_of("line", "70"), "sentence 1 ('F-01') has an unknown member 'line'; the members"));
  EXPECT_TRUE(has(refusal_of("id", "F-1"), "sentence 1 ('F-1') has 'id' \"F-1\"; it must be like F-07"));
  EXPECT_TRUE(has(refusal_of("lines", "seventy"), "has 'lines' \"seventy\"; it must be like \"70\""));
  EXPECT_TRUE(has(refusal_of("lines", 70), "has 'lines' 70"));
  EXPECT_TRUE(has(refusal_of("says", " "), "has 'says'"));
  EXPECT_TRUE(has(refusal_of("says", "a | b"), "without |"));
  EXPECT_TRUE(has(refusal_of("reason", ""), "has 'reason' \"\""));
  EXPECT_TRUE(has(refusal(R"({"sentences": [{"id": "F-01", "lines": "1"}]})"), "lacks 'says'"));
}

TEST(Sentences, ids_are_in_order_and_used_once) {
  const auto of = [](const json& entries) { return refusal(json{{"sentences", entries}}.dump()); };
  EXPECT_TRUE(has(of({entry("F-01"), entry("F-01")}), "sentence 2 ('F-01') has the same id as an earlier one"));
  EXPECT_TRUE(has(of({entry("F-10"), entry("F-09")}), "sentence 2 ('F-09') comes after F-10"));
  EXPECT_TRUE(has(of({entry("D-01"), entry("F-02")}), "comes after D-01"));
  EXPECT_TRUE(has(of({entry("B-01"), entry("A-02")}), "comes after B-01"));
  EXPECT_TRUE(has(of({entry("F-07"), entry("F-007")}), "comes after F-07"));
}

CuratedTest test(const std::string& name, std::vector<std::string> rules, std::vector<std::string> sentences) {
  CuratedTest curated;
  curated.file = "test_views.py";
  curated.test.name = name;
  curated.test.line = 12;
  curated.test.rules = std::move(rules);
  curated.test.sentences = std::move(sentences);
  return curated;
}

/// The pair of F-07 and test_a, and what turned the program red.
Pair pair(std::vector<std::string> flips, std::string otherwise = "") {
  return {"F-07", "test_views.py::test_a", std::move(flips), std::move(otherwise)};
}

TEST(Sentences, an_otherwise_entry_is_read) {
  json one = entry("F-07");
  one["rules"] = {"INF-03"};
  one["otherwise"] = {{{"program", "functionalize/test_views.py::test_a"}, {"variant", {"draft-1", "INF-16"}}},
                      {{"program", "test_views.py::test_b"}, {"edit", {"x.add_(1)", ""}}}};
  const Sentence sentence = load(json::array({one})).front();
  ASSERT_EQ(sentence.otherwise.size(), 2U);
  EXPECT_EQ(sentence.otherwise[0].profile + sentence.otherwise[0].rule, "draft-1INF-16");
  EXPECT_EQ(sentence.otherwise[1].from, "x.add_(1)");
  EXPECT_TRUE(has(refusal_of("rules", "INF-03"), "has 'rules' \"INF-03\"; it must be a list of rules"));
  EXPECT_TRUE(has(refusal_of("as", {"X-01"}), "has 'as' [\"X-01\"]"));
  const auto of = [](const json& other) { return refusal_of("otherwise", json::array({other})); };
  EXPECT_TRUE(has(of({{"program", "test_a"}, {"edit", {"a", "b"}}}), "must be like test_views.py::test_a"));
  EXPECT_TRUE(has(of({{"program", "test_views.py::test_a"}}), "needs one of 'variant' and 'edit'"));
  EXPECT_TRUE(has(of({{"program", "test_views.py::test_a"}, {"edit", {"", "b"}}}), "the text to replace"));
}

TEST(Coverage, a_row_has_the_programs_and_what_turned_them_red) {
  const std::vector<Sentence> sentences{{"F-07", "70", "a sentence", "", {"INF-03"}},
                                        {"D-01", "5", "a goal", "it is one"},
                                        {"B-01", "9", "the same", "", {}, {"F-07"}}};
  const std::string text =
      coverage_markdown({test("test_a", {"VIEW-01", "INF-03"}, {"F-07"}), test("test_b", {"INF-02"}, {})}, sentences,
                        {pair({"INF-03"}, "draft-1's INF-16")});
  EXPECT_TRUE(
      has(text, "| F-07 | 70 | a sentence | [`test_a`](../fuzz/corpus/test_views.py): INF-03, draft-1's INF-16 |"));
  EXPECT_TRUE(has(text, "| D-01 | 5 | a goal | *no program: it is one* |\n"));
  EXPECT_TRUE(has(text, "| B-01 | 9 | the same | as F-07 |\n"));
  EXPECT_TRUE(has(text, "| rfc-0011-final | 1 | 1 | 0 | 0 | 1 | 1 | 0 |\n"));
  EXPECT_TRUE(has(text, "| all | 3 | 1 | 1 | 1 | 1 | 1 | 0 |\n"));
  EXPECT_TRUE(has(text, "1 of 2 curated programs name a sentence"));
  EXPECT_TRUE(has(text, "\n| INF-02 | A tensor from a factory"));
  EXPECT_FALSE(has(text, "\n| INF-03 |"));
}

TEST(Coverage, json_has_the_same) {
  const std::vector<Sentence> sentences{{"F-07", "70", "a sentence", "", {"INF-03"}}, {"F-08", "71", "b", ""}};
  const json parsed =
      json::parse(coverage_json({test("test_a", {"INF-03"}, {"F-07"})}, sentences, {pair({}, "an edit")}));
  EXPECT_EQ(parsed["sentences"][0]["pairs"][0]["program"], "test_views.py::test_a");
  EXPECT_EQ(parsed["sentences"][0]["rules"], json::array({"INF-03"}));
  EXPECT_EQ(parsed["texts"][0]["shown_by_flip"], 0);
  EXPECT_EQ(parsed["texts"][0]["shown_otherwise"], 1);
  EXPECT_EQ(parsed["problems"].size(), 2U);
}

TEST(Coverage, each_error_of_the_inventory_is_reported) {
  const std::vector<CuratedTest> tests{test("test_a", {"INF-03"}, {"F-07", "F-99"})};
  const Pair other{"F-99", "test_views.py::test_a", {"INF-03"}, ""};
  const auto problems = [&](const std::vector<Sentence>& sentences) {
    return coverage_problems(tests, sentences, {pair({"INF-03"}), other});
  };
  ASSERT_EQ(problems({{"F-07", "70", "a", "", {"INF-03"}}, {"F-99", "80", "b", ""}}).size(), 0U);
  const std::vector<std::string> found =
      problems({{"F-07", "70", "a", "a goal"}, {"F-08", "71", "b", ""}, {"F-09", "72", "c", "a goal"}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(has(found[0], "F-07 (lines 70) has a reason, but a program names it"));
  EXPECT_TRUE(has(found[1], "no program names F-08 (lines 71), and it has no reason"));
  EXPECT_TRUE(has(found[2], "test_views.py:12: test_a names the sentence F-99, which is not in sentences.json"));
}

TEST(Coverage, a_pair_that_nothing_shows_is_a_problem) {
  const std::vector<CuratedTest> tests{test("test_a", {"INF-03"}, {"F-07"})};
  const auto problem = [&](const Pair& judged, const Sentence& sentence) {
    const std::vector<std::string> found = coverage_problems(tests, {sentence}, {judged});
    return found.empty() ? "none" : found.front();
  };
  const Sentence plain{"F-07", "70", "a", "", {"INF-03"}};
  EXPECT_EQ(problem(pair({"INF-03"}), plain), "none");
  EXPECT_TRUE(
      has(problem(pair({}), plain), "F-07 × test_views.py::test_a: no misreading of INF-03 turns the program red"));
  EXPECT_TRUE(has(problem(pair({"INF-03"}), {"F-07", "70", "a", "", {"INF-02", "INF-03"}}), "F-07 names INF-02, but"));
  const Otherwise edit{"test_views.py::test_a", "", "", "a", "b"};
  const Sentence edited{"F-07", "70", "a", "", {}, {}, {edit}};
  EXPECT_EQ(problem(pair({}, "an edit"), edited), "none");
  EXPECT_TRUE(has(problem(pair({"INF-03"}, ""), edited), "`otherwise` does not turn test_views.py::test_a red"));
  EXPECT_TRUE(has(problem(pair({"INF-03"}, "an edit"), edited), "is not needed, because INF-03"));
  EXPECT_TRUE(
      has(problem(pair({"INF-03"}), {"F-07", "70", "a", "", {"INF-03"}, {"D-01"}}), "F-07 refers to D-01, which no"));
}

/// Judges a folder with one program, which names the given sentence.
Pair judged(const std::string& body, Sentence sentence) {
  const std::string folder = testing::TempDir() + "plumbline_pairs";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/test_one.py") << "# One program.\nimport torch\n\n\ndef test_a(device):  # INF-02 F-07\n"
                                         << body;
  return judge_pairs(programs_of_sentences(folder), {std::move(sentence)}, folder).at(0);
}

TEST(Pairs, are_run) {
  const std::string body =
      "    with torch.inference_mode():\n        a = torch.zeros([2], device=device)\n        a.add_(1)\n"
      "    assert a.is_inference() is True\n    assert a.tolist() == [1.0, 1.0]\n";
  const auto with = [&](std::vector<std::string> rules, std::vector<Otherwise> otherwise) {
    return judged(body, {"F-07", "70", "a", "", std::move(rules), {}, std::move(otherwise)});
  };
  const auto edit = [&](const char* from, const char* to) {
    return with({}, {{"test_one.py::test_a", "", "", from, to}}).otherwise;
  };
  EXPECT_EQ(with({"INF-02", "INF-07"}, {}).flips, std::vector<std::string>{"INF-02"});
  EXPECT_EQ(edit("a.add_(1)", "a.add_(2)"), "`a.add_(1)` changed to `a.add_(2)`");
  EXPECT_EQ(edit("torch.zeros", "torch.empty"), "") << "the values are as expected, or unknown";
  EXPECT_EQ(edit("[1.0, 1.0]", "[2.0, 1.0]"), "") << "an expectation may not be edited";
  EXPECT_EQ(edit("b.add_(1)", ""), "") << "the program does not contain it";
  EXPECT_EQ(edit("a.add_(1)", "a.add_(1"), "") << "the edit breaks the program";
  EXPECT_EQ(with({}, {{"test_one.py::test_a", "draft-1", "INF-16", "", ""}}).otherwise, "");
  EXPECT_EQ(with({}, {{"test_two.py::test_a", "", "", "add_(1)", "add_(2)"}}).otherwise, "");
}

}  // namespace
}  // namespace plumbline::tables
