// The curated programs, on the reference: each states what `sound` holds, and each rule's misreading turns one red.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "oracle/compare.h"
#include "oracle/program/lower.h"
#include "oracle/program/parse.h"
#include "reference/machine.h"
#include "spec/rules/catalogue.h"

namespace plumbline {
namespace {

using program::Test;

struct Curated {
  std::string file;
  Test test;
};

const std::vector<Curated>& corpus() {
  static const std::vector<Curated> programs = [] {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator("fuzz/corpus"))
      if (entry.path().filename().string().starts_with("test_")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Curated> found;
    for (const auto& file : files)
      for (Test& test : program::lower(program::parse_file(file.string())))
        found.push_back({file.filename().string(), std::move(test)});
    return found;
  }();
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
  for (const Curated& curated : corpus()) {
    const Comparison comparison = verdict(curated.test);
    EXPECT_EQ(comparison.verdict, Verdict::pass)
        << curated.file << ":" << curated.test.line << " " << curated.test.name << ": " << comparison.message;
  }
}

TEST(Corpus, each_program_names_rules_that_exist) {
  for (const Curated& curated : corpus()) {
    EXPECT_FALSE(curated.test.rules.empty()) << curated.test.name;
    for (const std::string& id : curated.test.rules)
      EXPECT_NE(find_rule(id), nullptr) << curated.test.name << ": " << id;
  }
}

TEST(Corpus, each_rule_misread_turns_a_program_of_its_own_red) {
  for (const Rule* rule : kRules) {
    const bool red = std::any_of(corpus().begin(), corpus().end(), [&](const Curated& curated) {
      const bool named =
          std::find(curated.test.rules.begin(), curated.test.rules.end(), rule->id()) != curated.test.rules.end();
      return named && verdict(curated.test, rule).verdict == Verdict::divergent;
    });
    EXPECT_TRUE(red) << rule->id() << ": " << rule->misreading;
  }
}

TEST(Corpus, each_program_asserts_something) {
  for (const Curated& curated : corpus())
    EXPECT_FALSE(curated.test.expectations.empty() && curated.test.errors.empty()) << curated.test.name;
}

}  // namespace
}  // namespace plumbline
