// Comparing a reading with what an assert expects.
#include <gtest/gtest.h>

#include <limits>

#include "language/expectation.h"

namespace plumbline::program {
namespace {

Expectation expect(Reading reading, bool negated = false) {
  Expectation e;
  e.expected = std::move(reading);
  e.negated = negated;
  return e;
}
Values floats(std::vector<double> v) { return {std::move(v), {}, {}, {}}; }
Values integers(std::vector<std::int64_t> v) { return {{}, std::move(v), {}, {}}; }

TEST(Expectation, equal_readings_meet_it) {
  EXPECT_TRUE(meets(expect(true), true));
  EXPECT_FALSE(meets(expect(true), false));
  EXPECT_FALSE(meets(expect(std::int64_t{1}), true));
  EXPECT_TRUE(meets(expect(std::string("float32")), std::string("float32")));
  EXPECT_FALSE(meets(expect(std::vector<std::int64_t>{2}), std::vector<std::int64_t>{2, 3}));
}

TEST(Expectation, negation_inverts_it) {
  EXPECT_FALSE(meets(expect(std::int64_t{-1}, true), std::int64_t{-1}));
  EXPECT_TRUE(meets(expect(std::int64_t{-1}, true), std::int64_t{0}));
}

TEST(Expectation, something_that_is_not_a_reading_meets_no_expectation) {
  for (const bool negated : {false, true}) {
    EXPECT_FALSE(meets(expect(std::monostate{}, negated), std::monostate{}));
    EXPECT_FALSE(meets(expect(true, negated), Failure{ErrorClass::inference_version, "", ""}));
    EXPECT_FALSE(meets(expect(true, negated), Unspecified{"GEO-15"}));
  }
}

TEST(Expectation, values_are_compared_as_python_compares_numbers) {
  EXPECT_TRUE(meets(expect(integers({1, 2})), floats({1.0, 2.0})));
  EXPECT_FALSE(meets(expect(floats({1.0, 2.0})), floats({1.0, 2.5})));
  EXPECT_FALSE(meets(expect(floats({1.0})), floats({1.0, 1.0})));
  EXPECT_TRUE(meets(expect(floats({0.0})), floats({-0.0})));
  EXPECT_TRUE(meets(expect(floats({})), integers({})));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(meets(expect(floats({nan})), floats({nan})));
  constexpr std::int64_t kLarge = (std::int64_t{1} << 53) + 1;
  EXPECT_FALSE(meets(expect(integers({kLarge})), integers({kLarge - 1})));
}

TEST(Expectation, elements_that_are_not_known_are_free) {
  EXPECT_TRUE(meets(expect(floats({1.0, 2.0})), Reading(Values{{1.0, 9.0}, {}, {true, false}, {}})));
  EXPECT_FALSE(meets(expect(floats({1.0, 2.0})), Reading(Values{{1.0, 9.0}, {}, {false, true}, {}})));
}

TEST(Expectation, rounded_elements_may_differ_by_their_bound) {
  const Reading rounded = Values{{1.0, 2.0}, {}, {}, {0.5, 0.0}};
  EXPECT_TRUE(meets(expect(floats({1.5, 2.0})), rounded));
  EXPECT_FALSE(meets(expect(floats({1.75, 2.0})), rounded));
  EXPECT_FALSE(meets(expect(floats({1.0, 2.5})), rounded));
}

TEST(Expectation, no_gradient_is_none) {
  EXPECT_TRUE(meets(expect(None{}), None{}));
  EXPECT_FALSE(meets(expect(None{}), floats({1.0})));
  EXPECT_TRUE(meets(expect(None{}, true), floats({1.0})));
  EXPECT_FALSE(meets(expect(floats({1.0})), None{}));
}

TEST(Expectation, a_prefix_a_member_or_an_equal_reading_can_be_expected) {
  Expectation prefix = expect(std::vector<std::int64_t>{0});
  prefix.prefix = true;
  EXPECT_TRUE(meets(prefix, std::vector<std::int64_t>{0, 3}));
  EXPECT_FALSE(meets(prefix, std::vector<std::int64_t>{3, 0}));
  EXPECT_FALSE(meets(prefix, std::vector<std::int64_t>{}));
  Expectation member;
  member.contains = "AutogradCPU";
  EXPECT_TRUE(meets(member, std::vector<std::string>{"CPU", "AutogradCPU"}));
  EXPECT_FALSE(meets(member, std::vector<std::string>{"CPU"}));
  Expectation same;
  same.same_as_statement = 0;
  const Reading zero = std::int64_t{0}, one = std::int64_t{1};
  EXPECT_TRUE(meets(same, zero, &zero));
  EXPECT_FALSE(meets(same, zero, &one));
  EXPECT_FALSE(meets(same, zero, nullptr));
}

}  // namespace
}  // namespace plumbline::program
