// Verdicts: the tally's line and the exit codes.
#include "oracle/verdict.h"

#include <gtest/gtest.h>

namespace plumbline::verdict_test {
namespace {

TEST(Tally, line_counts_each_verdict) {
  Tally tally;
  for (const Verdict v : {Verdict::pass, Verdict::pass, Verdict::unsupported, Verdict::unspecified, Verdict::divergent})
    tally.add(v);
  EXPECT_EQ(tally.line(), "2 of 5 passed, 1 unsupported, 1 unspecified, 1 divergent");
  tally.waived = 2;
  tally.add(Verdict::unknown);
  tally.add(Verdict::harness_error);
  EXPECT_EQ(tally.line(),
            "2 of 9 passed, 1 unsupported, 1 unspecified, 1 divergent, 2 waived, 1 unknown, 1 harness error");
}

TEST(Tally, exit_code_is_the_worst_verdict) {
  EXPECT_EQ((Tally{.passed = 1}).exit_code(false), 0);
  EXPECT_EQ((Tally{.passed = 1, .unsupported = 1, .unspecified = 1, .waived = 1}).exit_code(false), 0);
  EXPECT_EQ((Tally{.passed = 1, .divergent = 1}).exit_code(false), kExitDivergent);
  EXPECT_EQ((Tally{.passed = 1, .divergent = 1, .harness_errors = 1}).exit_code(false), kExitHarness);
  EXPECT_EQ((Tally{.passed = 1, .unknown = 1}).exit_code(false), kExitUnknown);
  EXPECT_EQ((Tally{.unknown = 1, .divergent = 1}).exit_code(false), kExitDivergent);
}

TEST(Tally, nothing_passed_is_a_failure) {
  EXPECT_EQ(Tally{}.exit_code(false), kExitNothing);
  EXPECT_EQ((Tally{.unsupported = 3}).exit_code(false), kExitNothing);
}

TEST(Tally, a_run_whose_differences_are_all_known_succeeds) { EXPECT_EQ((Tally{.waived = 3}).exit_code(false), 0); }

TEST(Tally, require_all_wants_all) {
  EXPECT_EQ((Tally{.passed = 2}).exit_code(true), 0);
  EXPECT_EQ((Tally{.passed = 2, .unsupported = 1}).exit_code(true), kExitDivergent);
  EXPECT_EQ((Tally{.passed = 2, .waived = 1}).exit_code(true), kExitDivergent);
}

}  // namespace
}  // namespace plumbline::verdict_test
