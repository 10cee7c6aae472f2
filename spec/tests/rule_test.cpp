// The judge: its decisions in each profile and for a flipped rule, and its records.
#include "spec/rules/rule.h"

#include <gtest/gtest.h>

#include "spec/vocabulary/concrete.h"

namespace plumbline::rule_test {
namespace {

using B = Bool<Concrete>;

constexpr Rule kPlain{Family::KEY, 62};
constexpr Rule kVaried{Family::KEY, 63};

constexpr bool decide(const Judge<Concrete>& judge, const Rule& rule) { return judge(rule, B(true), B(false)).v; }

static_assert(decide({}, kPlain), "a judge decides at compile time too");
static_assert(!decide({.flipped = &kPlain}, kPlain));
static_assert(decide({.flipped = &kVaried}, kPlain), "another rule's flip changes nothing");

TEST(Judge, takes_the_variant_of_its_profile) {
  const Judge<Concrete> judge{.profile = Profile::torch_2_13};
  EXPECT_EQ(judge(kVaried, Num<Concrete>(1), Num<Concrete>(2), In{Profile::torch_2_13, Num<Concrete>(3)}).v, 3);
}

TEST(Judge, ignores_the_variant_of_another_profile) {
  const Judge<Concrete> judge{.profile = Profile::rfc_0011};
  EXPECT_EQ(judge(kVaried, Num<Concrete>(1), Num<Concrete>(2), In{Profile::torch_2_13, Num<Concrete>(3)}).v, 1);
}

TEST(Judge, records_the_rule_that_it_was_asked) {
  Decisions decisions;
  decide({.decisions = &decisions}, kPlain);
  EXPECT_TRUE(decisions.consulted.test(kPlain.index()));
}

TEST(Judge, records_that_a_misreading_would_decide_otherwise) {
  Decisions decisions;
  const Judge<Concrete> judge{.decisions = &decisions};
  (void)judge(kPlain, B(true), B(false));
  (void)judge(kVaried, B(true), B(true));
  EXPECT_TRUE(decisions.mattered.test(kPlain.index()));
  EXPECT_FALSE(decisions.mattered.test(kVaried.index()));
}

TEST(Rule, prints_its_family_and_two_digits) {
  EXPECT_EQ(kPlain.id(), "KEY-62");
  EXPECT_EQ((Rule{Family::VIEW, 3}).id(), "VIEW-03");
}

}  // namespace
}  // namespace plumbline::rule_test
