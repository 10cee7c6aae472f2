// Explaining: where PyTorch's functionalization differs, the FUN rule that it breaks explains the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "adapters/reference/reference.h"
#include "language/curated.h"
#include "oracle/explain/departures.h"
#include "spec/rules/catalogue.h"

namespace plumbline::explain::explain_functionalized_test {
namespace {

const std::map<std::string, program::Test>& functionalized() {
  static const std::map<std::string, program::Test> tests = [] {
    std::map<std::string, program::Test> all;
    for (const CuratedTest& curated : load_curated(PLUMBLINE_CORPUS "/functionalize"))
      all.emplace(curated.file + "::" + curated.test.name, curated.test);
    return all;
  }();
  return tests;
}

/// A released profile as an implementation, compared with `sound`.
Held held_on(Profile profile, const std::string& test) {
  Script script = functionalized().at(test).script;
  script.statements.push_back({Snapshot{}, 0});
  ReferenceAdapter shipped(profile);
  Waivers waivers(load_waivers(PLUMBLINE_CORPUS "/waivers.json", "2026-01-01"));
  return hold(script, test, "shipped", shipped, Profile::sound, waivers);
}

std::vector<std::string> ids(const std::vector<const Rule*>& rules) {
  std::vector<std::string> all;
  for (const Rule* rule : rules) all.push_back(rule->id());
  return all;
}

/// The waivers of curated programs that functionalize, one for each profile; those of one release in Python have none.
std::vector<Waiver> functionalize_waivers() {
  std::vector<Waiver> waivers = load_waivers(PLUMBLINE_CORPUS "/waivers.json", "2026-01-01");
  std::erase_if(waivers, [](const Waiver& waiver) {
    return !profile_named(waiver.implementation) ||
           std::ranges::none_of(waiver.tests, [](const std::string& test) { return functionalized().contains(test); });
  });
  return waivers;
}

TEST(Departures, a_waiver_of_functionalization_is_explained_only_by_its_own_rule) {
  ASSERT_GE(functionalize_waivers().size(), 20U) << "a waiver for both profiles counts twice";
  for (const Waiver& waiver : functionalize_waivers()) {
    ASSERT_EQ(waiver.rules.size(), 1U) << waiver.id;
    ASSERT_TRUE(waiver.rules[0].starts_with("FUN-")) << waiver.id;
    for (const std::string& test : waiver.tests) {
      const Held held = held_on(profile_named(waiver.implementation).value(), test);
      const std::string where = waiver.id + " " + waiver.implementation + " " + test + ": ";
      ASSERT_FALSE(held.departures.empty()) << where;
      const Departure& first = held.departures.front();
      EXPECT_EQ(ids(first.rules), waiver.rules) << where << describe(first.difference);
      for (const Departure& departure : held.departures) {
        if (departure.difference.thread) continue;  // no body changes the thread's state
        for (const std::string& rule : ids(departure.rules))
          EXPECT_EQ(rule, waiver.rules[0]) << where << describe(departure.difference);
      }
    }
  }
}

TEST(Departures, what_the_pull_request_says_is_explained_by_its_own_rule_alone) {
  const std::map<std::string, std::string> rules{
      {"test_odd_inverses.py::test_the_offset_of_as_strided_is_one_in_the_storage", "FUN-15"},
      {"test_callers.py::test_the_body_turns_its_input", "FUN-24"},
      {"test_odd_inverses.py::test_resize_beyond_the_memory_keeps_what_is_there", "FUN-31"},
      {"test_nested.py::test_a_write_in_a_body_within_a_body_reaches_the_caller", "FUN-36"}};
  for (const auto& [test, rule] : rules) {
    const Held held = held_on(Profile::pr_63048, test);
    ASSERT_FALSE(held.departures.empty()) << test;
    EXPECT_EQ(ids(held.departures.front().rules), std::vector{rule}) << test;
    EXPECT_EQ(held.unexplained(), 0U) << test;
  }
}

}  // namespace
}  // namespace plumbline::explain::explain_functionalized_test
