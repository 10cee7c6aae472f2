// neg, relu, exp, tanh, sqrt and comparisons: values, dtypes, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "optimized/tests/values.h"

namespace plumbline::optimized::unary_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How many floats there are between the two, of one sign.
std::int64_t ulps(float a, float b) {
  return std::abs(std::int64_t{std::bit_cast<std::int32_t>(a)} - std::bit_cast<std::int32_t>(b));
}
std::int64_t ulps(double a, double b) {
  return std::abs(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b));
}

/// The largest error, in units in the last place, of `function` on [-range, range].
template <class T>
std::int64_t worst(Tensor (*function)(const Tensor&), double (*right)(double), double range) {
  constexpr std::int64_t kPoints = 10007;
  const Tensor points = empty_tensor({kPoints}, sizeof(T) == 4 ? Dtype::float32 : Dtype::float64);
  for (std::int64_t i = 0; i < kPoints; ++i)
    points.data<T>()[i] = static_cast<T>(range * (2.0 * static_cast<double>(i) / (kPoints - 1) - 1));
  const Tensor values = function(points);
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < kPoints; ++i)
    most = std::max(most, ulps(values.data<T>()[i], static_cast<T>(right(static_cast<double>(points.data<T>()[i])))));
  return most;
}
Tensor exp_of(const Tensor& x) { return exp(x); }
Tensor tanh_of(const Tensor& x) { return tanh(x); }

TEST(Neg, changes_the_sign_of_a_zero_too) { EXPECT_TRUE(std::signbit(numbers(neg(vector({0, 0})))[0])); }
TEST(Neg, of_the_least_integer_is_itself) {
  EXPECT_EQ(numbers(neg(vector({-2147483648.0, 1}, Dtype::int32))), (Numbers{-2147483648.0, -1}));
}
TEST(Neg, of_bools_is_refused) {
  EXPECT_EQ(error_of([] { neg(vector({1}, Dtype::boolean)); }), ErrorClass::dtype_op);
}
TEST(Neg, out_must_have_its_dtype) {  // TYPE-73
  EXPECT_EQ(error_of([] { call<op::neg_out>(vector({1}, Dtype::int64), vector({1})); }), ErrorClass::dtype_mismatch);
}
TEST(Relu, keeps_what_is_above_0) { EXPECT_EQ(numbers(relu(vector({-1, 2, -3, 4}))), (Numbers{0, 2, 0, 4})); }
TEST(Relu, keeps_not_a_number) { EXPECT_TRUE(std::isnan(numbers(relu(vector({kNan, 1})))[0])); }
TEST(Relu, keeps_the_sign_of_a_zero) { EXPECT_TRUE(std::signbit(numbers(relu(vector({-0.0, 1})))[0])); }
TEST(Relu, takes_integers) { EXPECT_EQ(numbers(relu(vector({-5, 3}, Dtype::int32))), (Numbers{0, 3})); }
TEST(Relu, of_bools_is_refused) {
  EXPECT_EQ(error_of([] { relu_(vector({1}, Dtype::boolean)); }), ErrorClass::dtype_op);
}
TEST(Sqrt, of_a_negative_number_is_not_a_number) { EXPECT_TRUE(std::isnan(numbers(sqrt(vector({-1, 4})))[0])); }
TEST(Sqrt, of_integers_is_a_float32) { EXPECT_EQ(sqrt(vector({4}, Dtype::int64)).dtype(), Dtype::float32); }  // TYPE-43
TEST(Sqrt, in_place_of_integers_is_refused) {                                                                 // TYPE-42
  EXPECT_EQ(error_of([] { sqrt_(vector({4}, Dtype::int64)); }), ErrorClass::dtype_cast);
}
TEST(Sqrt, in_place_of_a_repeated_tensor_is_refused) {  // GEO-19
  EXPECT_EQ(error_of([] { sqrt_(alias_of(vector({4}), {2}, {0}, 0)); }), ErrorClass::overlap_internal);
}
TEST(Exp, of_float32_is_right_to_4_ulps) { EXPECT_LE(worst<float>(exp_of, std::exp, 100), 4); }
TEST(Exp, of_float64_is_right_to_4_ulps) { EXPECT_LE(worst<double>(exp_of, std::exp, 740), 4); }
TEST(Exp, of_far_numbers_is_0_or_infinite) {
  EXPECT_EQ(numbers(exp(vector({-kInfinity, -1e30, 1e30, kInfinity}))), (Numbers{0, 0, kInfinity, kInfinity}));
}
TEST(Exp, of_not_a_number_is_that) { EXPECT_TRUE(std::isnan(numbers(exp(vector({kNan, 1, 2, 3})))[0])); }
TEST(Exp, out_may_be_of_another_dtype) {  // TYPE-73
  const Tensor out = vector({}, Dtype::float64);
  call<op::exp_out>(vector({0, 0}, Dtype::int64), out);
  EXPECT_EQ(numbers(out), (Numbers{1, 1}));
}
TEST(Tanh, of_float32_is_right_to_4_ulps) { EXPECT_LE(worst<float>(tanh_of, std::tanh, 20), 4); }
TEST(Tanh, of_float64_is_right_to_4_ulps) { EXPECT_LE(worst<double>(tanh_of, std::tanh, 20), 4); }
TEST(Tanh, keeps_the_sign_of_a_zero) { EXPECT_TRUE(std::signbit(numbers(tanh(vector({-0.0, 1})))[0])); }
TEST(Unary, of_a_transposed_tensor_has_its_strides) {  // GEO-24
  EXPECT_EQ(strides(neg(alias_of(counting({6}), {3, 2}, {1, 3}, 0))), (Sizes{1, 3}));
}
TEST(Unary, of_every_second_element_leaves_no_gaps) {
  EXPECT_EQ(numbers(neg(alias_of(counting({6}), {3}, {2}, 1))), (Numbers{-1, -3, -5}));
}

TEST(Comparison, is_made_in_the_common_dtype) {  // TYPE-46
  EXPECT_EQ(numbers(eq(vector({16777217}, Dtype::int64), vector({16777216}))), Numbers{1});
}
TEST(Comparison, with_a_number_wraps_it_to_the_dtype) {  // TYPE-46
  EXPECT_EQ(numbers(eq(vector({0, 1}, Dtype::int32), Scalar(std::int64_t{1} << 32))), (Numbers{1, 0}));
}
TEST(Comparison, of_not_a_number_never_holds) {
  EXPECT_EQ(numbers(ge(vector({kNan, kNan}), vector({kNan, 0}))), (Numbers{0, 0}));
}
TEST(Comparison, of_bools_takes_them_for_0_and_1) {
  EXPECT_EQ(numbers(gt(vector({1, 0}, Dtype::boolean), vector({0, 1}, Dtype::boolean))), (Numbers{1, 0}));
}
TEST(Comparison, of_many_integers_agrees_with_each) {
  const Tensor up = counting({100}, Dtype::int64);
  Numbers expected(100, 1);
  std::fill_n(expected.begin(), 42, 0);
  EXPECT_EQ(numbers(ge(up, Scalar(42))), expected);
}
TEST(Comparison, of_many_floats_agrees_with_each) {
  Numbers expected(100, 1);
  std::fill_n(expected.begin(), 43, 0);
  EXPECT_EQ(numbers(gt(counting({100}), scalar(42))), expected);
}

}  // namespace
}  // namespace plumbline::optimized::unary_test
