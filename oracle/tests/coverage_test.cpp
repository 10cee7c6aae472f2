// The inventory of sentences as read, and the table of what programs name them.
#include "oracle/tables/coverage.h"

#include <gtest/gtest.h>

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

/// The message with which a file is refused.
std::string refusal(const std::string& text) {
  try {
    load_sentences(written(text));
    return "accepted";
  } catch (const SentencesError& error) {
    return error.what();
  }
}

/// The same for one entry, of which a member is replaced.
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
  EXPECT_TRUE(has(refusal("{"), "plumbline_sentences.json: is no JSON"));
  EXPECT_TRUE(has(refusal("[]"), R"(is not of the form {"sentences": […]})"));
  EXPECT_TRUE(has(refusal(R"({"sentences": [], "more": 1})"), "is not of the form"));
  EXPECT_TRUE(has(refusal(R"({"sentences": [3]})"), "sentence 1 is not an object"));
  EXPECT_THROW(load_sentences("/no/such/file.json"), SentencesError);
}

TEST(Sentences, a_malformed_entry_is_refused_by_number_and_id) {
  EXPECT_TRUE(has(refusal_of("line", "70"), "sentence 1 ('F-01') has a member 'line' that is not known; the members"));
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
  EXPECT_TRUE(has(of({entry("F-01"), entry("F-01")}), "sentence 2 ('F-01') has the id of an earlier one"));
  EXPECT_TRUE(has(of({entry("F-10"), entry("F-09")}), "sentence 2 ('F-09') stands behind F-10"));
  EXPECT_TRUE(has(of({entry("D-01"), entry("F-02")}), "stands behind D-01"));
  EXPECT_TRUE(has(of({entry("F-07"), entry("F-007")}), "stands behind F-07"));
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

TEST(Coverage, a_row_has_the_programs_and_their_rules) {
  const std::string text =
      coverage_markdown({test("test_a", {"VIEW-01", "INF-03"}, {"F-07"}), test("test_b", {"INF-02"}, {})},
                        {{"F-07", "70", "a sentence", ""}, {"D-01", "5", "a goal", "it is one"}});
  EXPECT_TRUE(has(text, "| F-07 | 70 | a sentence | [`test_a`](../fuzz/corpus/test_views.py) | INF-03 VIEW-01 |\n"));
  EXPECT_TRUE(has(text, "| D-01 | 5 | a goal | *none: it is one* |  |\n"));
  EXPECT_TRUE(has(text, "- 2 sentences\n- 1 with programs (1 of 2 curated programs name one)\n- 1 with a reason\n"));
  EXPECT_TRUE(has(text, "\n| INF-02 | A tensor from a factory"));
  EXPECT_FALSE(has(text, "\n| INF-03 |"));
}

TEST(Coverage, json_has_the_same) {
  const json parsed = json::parse(coverage_json({test("test_a", {"INF-03"}, {"F-07"})},
                                                {{"F-07", "70", "a sentence", ""}, {"F-08", "71", "b", ""}}));
  EXPECT_EQ(parsed["sentences"][0]["programs"], json::array({"test_views.py::test_a"}));
  EXPECT_EQ(parsed["sentences"][0]["rules"], json::array({"INF-03"}));
  EXPECT_EQ(parsed["problems"].size(), 1U);
}

TEST(Coverage, problems) {
  const std::vector<CuratedTest> tests{test("test_a", {"INF-03"}, {"F-07", "F-99"})};
  const auto problems = [&](const std::vector<Sentence>& sentences) { return coverage_problems(tests, sentences); };
  ASSERT_EQ(problems({{"F-07", "70", "a", ""}, {"F-99", "80", "b", ""}}).size(), 0U);
  const std::vector<std::string> found =
      problems({{"F-07", "70", "a", "a goal"}, {"F-08", "71", "b", ""}, {"F-09", "72", "c", "a goal"}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(has(found[0], "F-07 (lines 70) has a reason and is named by a program"));
  EXPECT_TRUE(has(found[1], "F-08 (lines 71) is named by no program and has no reason"));
  EXPECT_TRUE(has(found[2], "test_views.py:12: test_a names the sentence F-99, which sentences.json does not have"));
}

}  // namespace
}  // namespace plumbline::tables
