// The shortest body for each fault of functionalization.
#include "functionalization/validate/shortest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "functionalization/write_out/shipped.h"
#include "language/parse.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/fun.h"

namespace plumbline::functionalize {
namespace {

using validate::Judged;

bool never() { return false; }

validate::Shortest shortest_of(const Rule& misread, int longest) {
  validate::Options options;
  options.flipped = &misread;
  options.most_findings = 1;
  const Judged judged = [&](validate::Validator& validator, const passes::Body& body) {
    return wrong_by_passes(options, validator, body);
  };
  return shortest_body(judged, longest, never);
}

validate::Kinds kinds_of(Profile profile, int longest) {
  const Judged judged = [&](validate::Validator& /*of the passes*/, const passes::Body& body) {
    return wrong_as_shipped(profile, body);
  };
  return shortest_of_each_kind(judged, longest, 2, never);
}

TEST(Shortest, right_passes_have_no_body_of_two_steps) {
  const Judged judged = [](validate::Validator& validator, const passes::Body& body) {
    return wrong_by_passes({}, validator, body);
  };
  const validate::Shortest none = shortest_body(judged, 2, never);
  EXPECT_FALSE(none.found) << none.found->program;
  EXPECT_GT(none.bodies, 20000);
}

TEST(Shortest, a_misreading_has_a_body_of_two_steps_unless_it_is_about_several_writes) {
  const std::set<const Rule*> longer{&FUN_04, &FUN_05};
  for (const Rule* rule : kFunctionalizeRules)
    EXPECT_EQ(shortest_of(*rule, 2).found.has_value(), !longer.contains(rule)) << rule->id();
}

TEST(Shortest, updates_that_are_not_applied_need_two_writes) {
  const validate::Shortest shortest = shortest_of(FUN_04, 3);
  ASSERT_TRUE(shortest.found);
  EXPECT_EQ(shortest.steps, 3);
  EXPECT_NE(shortest.found->program.find("fill_"), std::string::npos);
}

TEST(Shortest, nothing_is_a_result_that_does_not_show_the_fault) {
  const validate::Shortest shortest = shortest_of(FUN_11, 2);
  ASSERT_TRUE(shortest.found);
  EXPECT_NE(shortest.found->program.find("return \n"), std::string::npos) << shortest.found->program;
}

TEST(Shortest, shipped_functionalization_is_wrong_in_these_ways) {
  const validate::Kinds kinds = kinds_of(Profile::torch_2_13, 2);
  const auto has = [&](const std::string& kind, const std::set<std::string>& parts) {
    return std::ranges::any_of(kinds.found,
                               [&](const auto& one) { return one.second.kind == kind && one.second.parts == parts; });
  };
  EXPECT_TRUE(has("values", {"unfold"})) << "windows with gaps";
  EXPECT_TRUE(has("values", {"expand"})) << "rows that repeat";
  EXPECT_TRUE(has("values", {"inputs that share memory"}));
  EXPECT_TRUE(has("error: none -> overlap_partial", {})) << "t_ of a square";
  EXPECT_TRUE(has("storage", {})) << "a result that is a view of an input";
  EXPECT_TRUE(has("strides", {}));
}

TEST(Shortest, each_kind_is_shown_by_a_program) {
  for (const auto& [steps, finding] : kinds_of(Profile::torch_1_13, 1).found) {
    EXPECT_EQ(steps, 1);
    EXPECT_NO_THROW(program::parse(finding.program, "found.py")) << finding.program;
  }
}

TEST(Shortest, the_pull_request_is_wrong_in_three_ways) { EXPECT_EQ(kinds_of(Profile::pr_63048, 2).found.size(), 3U); }

}  // namespace
}  // namespace plumbline::functionalize
