// Arithmetic on elements: exact if every order gives the same bits, and otherwise within valid bounds.
#include "reference/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumbline::reference::arithmetic_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const Arithmetic kFloat(Dtype::float32);
const Arithmetic kInt(Dtype::int32);
const Arithmetic kBool(Dtype::boolean);

Element real(double value, double error = 0) { return Element{.real = value, .error = error}; }
Element integer(std::int64_t value) { return Element{.integer = value}; }

TEST(Arithmetic, small_integers_as_floats_are_exact) {
  EXPECT_EQ(kFloat.multiply(real(3), real(5)).real, 15);
  EXPECT_EQ(kFloat.multiply(real(3), real(5)).error, 0);
}

TEST(Arithmetic, a_rounded_quotient_is_bounded_by_a_unit_in_the_last_place) {
  const Element third = kFloat.divide(real(1), real(3));
  EXPECT_EQ(third.real, static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(third.error, std::ldexp(1.0, -25)) << "1/3 lies in [1/4, 1/2), where float32 has steps of 2^-25";
}

TEST(Arithmetic, a_function_of_a_bounded_number_is_bounded_by_its_ends) {
  const Element power = kFloat.apply(UnaryFunction::exp, real(1, 0.5));
  EXPECT_GE(power.error, std::exp(1.5) - std::exp(1.0));
}

/// A bound is at most a few units in the last place of its own dtype, because a wider one would hide faults.
TEST(Arithmetic, bounds_of_functions_are_narrow_in_each_dtype) {
  for (const UnaryFunction function : {UnaryFunction::exp, UnaryFunction::tanh}) {
    const Element narrow = kFloat.apply(function, real(0.5));
    EXPECT_GT(narrow.error, 0);
    EXPECT_LE(narrow.error, 16 * std::ldexp(std::fabs(narrow.real), -23));
    const Element narrower = Arithmetic(Dtype::float64).apply(function, real(0.5));
    EXPECT_GT(narrower.error, 0);
    EXPECT_LE(narrower.error, 16 * std::ldexp(std::fabs(narrower.real), -52));
  }
}

TEST(Arithmetic, int32_wraps) {
  EXPECT_EQ(kInt.add(integer(2147483647), integer(1)).integer, -2147483648LL);
  EXPECT_EQ(kInt.apply(UnaryFunction::negate, integer(-2147483648LL)).integer, -2147483648LL);
}

TEST(Arithmetic, plus_of_bools_is_or_and_times_is_and) {
  EXPECT_EQ(kBool.add(integer(1), integer(1)).integer, 1);
  EXPECT_EQ(kBool.multiply(integer(1), integer(0)).integer, 0);
}

TEST(Arithmetic, relu_keeps_minus_zero_and_nan) {
  EXPECT_TRUE(std::signbit(kFloat.apply(UnaryFunction::relu, real(-0.0)).real));
  EXPECT_TRUE(std::isnan(kFloat.apply(UnaryFunction::relu, real(kNan)).real));
}

TEST(Arithmetic, a_comparison_inside_the_bounds_is_open) {
  EXPECT_EQ(kFloat.less(real(1), real(2)), true);
  EXPECT_EQ(kFloat.less(real(1, 0.5), real(1.25)), std::nullopt);
  EXPECT_EQ(kFloat.equal(real(1, 0.5), real(1)), std::nullopt);
}

TEST(Arithmetic, nan_is_neither_less_nor_equal) {
  EXPECT_EQ(kFloat.less(real(kNan), real(1)), false);
  EXPECT_EQ(kFloat.equal(real(kNan), real(kNan)), false);
}

TEST(Arithmetic, a_bounded_number_converts_to_an_unknown_integer) {
  EXPECT_FALSE(converted(real(2, 0.25), Dtype::float32, Dtype::int64).known);
  EXPECT_TRUE(converted(real(2.5), Dtype::float32, Dtype::int64).known);
  EXPECT_EQ(converted(real(-2.5), Dtype::float32, Dtype::int32).integer, -2) << "toward zero";
}

TEST(Arithmetic, every_number_but_zero_is_true) {
  EXPECT_EQ(converted(real(0.5), Dtype::float32, Dtype::boolean).integer, 1);
  EXPECT_EQ(converted(real(kNan), Dtype::float32, Dtype::boolean).integer, 1);
  EXPECT_EQ(converted(real(-0.0), Dtype::float32, Dtype::boolean).integer, 0);
}

}  // namespace
}  // namespace plumbline::reference::arithmetic_test
