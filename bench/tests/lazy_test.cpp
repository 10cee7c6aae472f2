// The lazy cases: each side makes the call that its name says, and all have the same outcome.
#include "optimized/lazy/lazy.h"

#include <gtest/gtest.h>

#include "bench/lazy/sides.h"
#include "bench/runner/suite.h"

namespace plumbline::bench {
namespace {

const Suite& suite() {
  static const Suite made = suite_of_rows("lazy", our_lazy_sides(), true);
  return made;
}

TEST(Lazy, the_runner_has_the_lazy_cases_and_no_others) {
  std::size_t lazy = 0;
  for (const Case& one : cases()) lazy += is_lazy(one) ? 1 : 0;
  EXPECT_EQ(suite().entries.size(), lazy);
  for (const Entry& entry : suite().entries) {
    EXPECT_TRUE(entry.id.ends_with("/lazy")) << entry.id;
    EXPECT_TRUE(entry.process) << entry.id;
  }
}

TEST(Lazy, both_sides_have_the_same_outcome_and_only_one_makes_a_graph) {
  for (const Entry& entry : suite().entries) {
    if (entry.heavy) continue;
    const Prepared prepared(suite(), entry, suite().sides);  // throws if the outcomes differ
    const auto calls_of = [&](const char* side) {
      optimized::lazy::forget_counts();
      prepared.on(side)->run(1);
      return optimized::lazy::counts();
    };
    EXPECT_EQ(calls_of("eager").calls, 0U) << entry.id;
    const optimized::lazy::Counts lazy = calls_of("ours");
    EXPECT_GE(lazy.calls, static_cast<std::uint64_t>(entry.items)) << entry.id;
    EXPECT_EQ(lazy.evaluated, entry.id == "add/1/lazy" ? 0U : 1U) << entry.id;
    EXPECT_EQ(lazy.waiting, 0U) << entry.id;
  }
}

}  // namespace
}  // namespace plumbline::bench
