// The curated programs, on the reference: each states what `sound` says, and fails if a rule that it names is misread.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "language/curated.h"
#include "oracle/compare.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/dsp.h"
#include "spec/rules/trf.h"
#include "spec/rules/ver.h"
#include "tables/coverage.h"

namespace plumbline {
namespace {

using program::Test;

const std::vector<CuratedTest>& corpus() {
  static const std::vector<CuratedTest> programs =
      load_curated_folders({"fuzz/corpus", "fuzz/corpus/dispatcher", "fuzz/corpus/transforms"});
  return programs;
}

Description reference_description() {
  Description description;
  description.name = "reference";
  description.fields.fill(Strictness::exact);
  description.thread.fill(Strictness::exact);
  return description;
}

Comparison verdict(const Test& test, const Rule* flipped = nullptr) {
  return check_expectations(test, reference::run({.flipped = flipped}, test.script), reference_description());
}

TEST(Corpus, each_program_holds_on_the_reference) {
  EXPECT_GE(corpus().size(), 40U);
  for (const CuratedTest& curated : corpus()) {
    const Comparison comparison = verdict(curated.test);
    EXPECT_EQ(comparison.verdict, Verdict::pass)
        << curated.file << ":" << curated.test.line << " " << curated.test.name << ": " << comparison.message;
  }
}

TEST(Corpus, each_program_names_rules_that_exist) {
  for (const CuratedTest& curated : corpus()) {
    EXPECT_FALSE(curated.test.rules.empty()) << curated.test.name;
    for (const std::string& id : curated.test.rules)
      EXPECT_NE(find_rule(id), nullptr) << curated.test.name << ": " << id;
  }
}

/// Whether a misreading makes a program fail. A misreading that leads the reference to its limits shows nothing; but
/// that of DSP-11 leads a call away from the program's kernel, to a fallback that no rule describes.
bool turns_red(const Rule* rule, const Test& test) {
  try {
    return verdict(test, rule).verdict == Verdict::divergent;
  } catch (const reference::ReferenceLimit&) {
    return rule == &DSP_11;
  }
}

bool enters_transform(const Statement& statement) { return std::holds_alternative<EnterTransform>(statement.kind); }
bool enters_functionalized(const Statement& statement) {
  return std::holds_alternative<EnterFunctionalize>(statement.kind);
}

/// For each program, the rules whose misreading makes it fail.
const std::vector<std::vector<std::string>>& turned_red_by() {
  static const std::vector<std::vector<std::string>> red = [] {
    std::vector<std::vector<std::string>> all;
    for (const CuratedTest& curated : corpus()) {
      std::vector<std::string>& ids = all.emplace_back();
      for (const Rule* rule : kRules)
        if (turns_red(rule, curated.test)) ids.push_back(rule->id());
      const auto try_all = [&](const auto& rules) {
        for (const Rule* rule : rules)
          if (turns_red(rule, curated.test)) ids.push_back(rule->id());
      };
      if (std::ranges::any_of(curated.test.script.statements, enters_transform)) try_all(kTransformRules);
      if (std::ranges::any_of(curated.test.script.statements, enters_functionalized)) {
        try_all(kFunctionalizeRules);
        try_all(kFunctionalizedCallRules);
      }
      if (curated.test.script.operators.empty()) continue;  // only a call of one asks the dispatcher's rules
      for (const Rule* rule : kDispatchRules)
        if (turns_red(rule, curated.test)) ids.push_back(rule->id());
    }
    return all;
  }();
  return red;
}

bool names(const CuratedTest& curated, const std::string& rule) {
  return std::ranges::find(curated.test.rules, rule) != curated.test.rules.end();
}

/// The rules that no program can show. The deprecated guard at::AutoNonVariableTypeMode has no Python form: the
/// MigrationTable tests of tables/tests/tables_test.cpp show TLS-13. No program writes a tensor 2^32 times: the Machine
/// tests of reference/tests/machine_test.cpp show VER-19. TRF-16 and TRF-28 say what is free, so nothing can be
/// asserted of it.
constexpr std::array kWithoutProgram{&TLS_13, &VER_19, &TRF_16, &TRF_28};

/// Its misreading is about Functionalize, whose fallback no rule describes: LibTorch's tables show it.
constexpr const Rule* kInTablesAlone = &DSP_07;

TEST(Corpus, a_rule_that_no_program_can_show_has_none) {
  for (const CuratedTest& curated : corpus())
    for (const Rule* rule : kWithoutProgram)
      EXPECT_FALSE(names(curated, rule->id())) << curated.file << ":" << curated.test.line << " names " << rule->id()
                                               << ", so it needs no exemption; remove it from kWithoutProgram";
}

TEST(Corpus, each_rule_misread_turns_a_program_of_its_own_red) {
  std::vector<const Rule*> rules(kRules.begin(), kRules.end());
  rules.insert(rules.end(), kDispatchRules.begin(), kDispatchRules.end());
  rules.insert(rules.end(), kTransformRules.begin(), kTransformRules.end());
  for (const Rule* rule : rules) {
    if (std::ranges::find(kWithoutProgram, rule) != kWithoutProgram.end() || rule == kInTablesAlone) continue;
    bool red = false;
    for (std::size_t i = 0; i < corpus().size(); ++i)
      red = red || (names(corpus()[i], rule->id()) &&
                    std::ranges::find(turned_red_by()[i], rule->id()) != turned_red_by()[i].end());
    EXPECT_TRUE(red) << rule->id() << ": " << rule->text().misreading;
  }
}

TEST(Corpus, each_program_is_turned_red_by_a_rule_that_it_names) {
  std::string idle;
  for (std::size_t i = 0; i < corpus().size(); ++i) {
    const CuratedTest& curated = corpus()[i];
    const std::vector<std::string>& red = turned_red_by()[i];
    if (std::ranges::any_of(red, [&](const std::string& rule) { return names(curated, rule); })) continue;
    idle += fmt::format("{}:{} {} names {}; red by {}\n", curated.file, curated.test.line, curated.test.name,
                        fmt::join(curated.test.rules, " "),
                        red.empty() ? "no rule" : fmt::format("{}", fmt::join(red, " ")));
  }
  EXPECT_TRUE(idle.empty()) << "idle programs; strengthen an assert, or name the rule that they show:\n" << idle;
}

/// The programs that may name sentences, the sentences, and each pair as it was run.
struct Coverage {
  std::vector<CuratedTest> tests = tables::programs_of_sentences("fuzz/corpus");
  std::vector<tables::Sentence> sentences = tables::load_sentences("fuzz/corpus/sentences.json");
  std::vector<tables::Pair> pairs = tables::judge_pairs(tests, sentences, "fuzz/corpus");
};

const Coverage& coverage() {
  static const Coverage all;
  return all;
}

TEST(Corpus, each_sentence_of_the_texts_has_programs_that_a_misreading_of_its_rules_turns_red) {
  const std::vector<std::string> problems =
      tables::coverage_problems(coverage().tests, coverage().sentences, coverage().pairs);
  EXPECT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n"));
}

TEST(Corpus, each_text_has_sentences) {
  for (const tables::Text& text : tables::kTexts)
    EXPECT_GE(std::ranges::count_if(coverage().sentences,
                                    [&](const tables::Sentence& s) { return s.id.front() == text.letter; }),
              30)
        << text.name;
}

TEST(Corpus, docs_coverage_is_what_is_generated) {
  std::ifstream in("docs/COVERAGE.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string generated = tables::coverage_markdown(coverage().tests, coverage().sentences, coverage().pairs);
  EXPECT_TRUE(text == generated) << "docs/COVERAGE.md is out of date; run: plumbline table coverage > docs/COVERAGE.md";
}

TEST(Corpus, each_program_asserts_something) {
  for (const CuratedTest& curated : corpus())
    EXPECT_FALSE(curated.test.expectations.empty() && curated.test.errors.empty()) << curated.test.name;
}

}  // namespace
}  // namespace plumbline
