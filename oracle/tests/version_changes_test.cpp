// Where only changes of versions are compared: which changes are differences.
#include <gtest/gtest.h>

#include "oracle/compare.h"
#include "spec/ops/ops.h"

namespace plumbline::version_changes_test {
namespace {

constexpr Slot kX{0};

Description only_changes() {
  Description d;
  d.name = "planted";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  d.fields[static_cast<std::size_t>(Field::version)] = Strictness::changed;
  return d;
}

/// x is read, something happens or x is made again, and x is read again.
Script two_readings(bool made_again = false) {
  const Statement read{Read{kX, Field::version}, 1};
  const Statement again{MakeTensor{kX, Dtype::float32, {0}, {}, false}, 2};
  const Statement seed{ManualSeed{0}, 2};
  return {{read, made_again ? again : seed, read}, {"x"}};
}

Trace trace_of(const Reading& first, const Reading& second) {
  Trace trace;
  trace.outcomes.resize(3);
  for (std::size_t i = 0; i < 3; ++i) trace.outcomes[i].statement = i;
  trace.outcomes[0].reading = first;
  trace.outcomes[2].reading = second;
  return trace;
}

Reading version(std::int64_t number) { return number; }

Comparison compared(const Reading& wanted_first, const Reading& wanted, const Reading& first, const Reading& second,
                    bool made_again = false) {
  return compare(two_readings(made_again), trace_of(wanted_first, wanted), trace_of(first, second), only_changes());
}

TEST(VersionChanges, other_versions_that_change_alike_are_no_difference) {
  EXPECT_EQ(compared(version(0), version(3), version(7), version(8)).verdict, Verdict::pass);
  EXPECT_EQ(compared(version(2), version(2), version(0), version(0)).verdict, Verdict::pass);
}

TEST(VersionChanges, a_write_that_counts_nothing_is_a_difference) {
  const Comparison found = compared(version(0), version(1), version(0), version(0));
  ASSERT_EQ(found.verdict, Verdict::divergent);
  EXPECT_NE(found.message.find("change of the version of x since line 1"), std::string::npos) << found.message;
}

TEST(VersionChanges, a_version_that_changes_without_a_write_is_a_difference) {
  EXPECT_EQ(compared(version(1), version(1), version(1), version(2)).verdict, Verdict::divergent);
}

TEST(VersionChanges, a_tensor_that_is_made_again_has_no_version_before) {
  EXPECT_EQ(compared(version(0), version(0), version(0), version(4), true).verdict, Verdict::pass);
}

TEST(VersionChanges, an_error_instead_of_a_version_is_a_difference) {
  const Reading error = Failure{ErrorClass::inference_version, "", ""};
  EXPECT_EQ(compared(version(0), version(0), version(0), error).verdict, Verdict::divergent);
  EXPECT_EQ(compared(version(0), error, version(0), version(0)).verdict, Verdict::divergent);
}

TEST(VersionChanges, versions_of_one_counter_with_an_unspecified_start_are_compared) {
  const auto counted = [](std::int64_t n) { return Reading(Unspecified{"VER-10", 5, n}); };
  EXPECT_EQ(compared(counted(0), counted(1), version(3), version(4)).verdict, Verdict::pass);
  EXPECT_EQ(compared(counted(0), counted(1), version(3), version(3)).verdict, Verdict::divergent);
}

}  // namespace
}  // namespace plumbline::version_changes_test
