// Sums, means, softmax, maxima: what they are of, in which dtype, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "optimized/cpu/parallel.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::reduction_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Sum, of_bools_is_an_int64) {  // TYPE-44
  EXPECT_EQ(sum(vector({1, 0, 1}, Dtype::boolean)).dtype(), Dtype::int64);
}
TEST(Sum, of_bools_counts_them) { EXPECT_EQ(numbers(sum(vector({1, 0, 1}, Dtype::boolean))), Numbers{2}); }
TEST(Sum, of_many_bools_counts_them) {
  const Tensor all = empty_tensor({100000}, Dtype::boolean);
  std::fill_n(all.data<bool>(), 100000, true);
  EXPECT_EQ(numbers(sum(all)), Numbers{100000});
}
TEST(Sum, of_bools_takes_any_byte_but_0_for_true) {
  const Tensor all = empty_tensor({100}, Dtype::boolean);
  std::fill_n(reinterpret_cast<unsigned char*>(all.data<bool>()), 100, static_cast<unsigned char>(6));
  EXPECT_EQ(numbers(sum(all)), Numbers{100});
}
TEST(Sum, of_int32_is_an_int64_that_holds_it) {  // TYPE-44
  EXPECT_EQ(numbers(sum(vector({2147483647, 2147483647}, Dtype::int32))), Numbers{4294967294.0});
}
TEST(Sum, of_int32_as_int32_wraps) {
  EXPECT_EQ(numbers(sum(vector({2147483647, 1}, Dtype::int32), Dtype::int32)), Numbers{-2147483648.0});
}
TEST(Sum, of_int64_wraps) {
  const Tensor most = empty_tensor({2}, Dtype::int64);
  most.data<std::int64_t>()[0] = std::numeric_limits<std::int64_t>::max();
  most.data<std::int64_t>()[1] = 1;
  EXPECT_EQ(*sum(most).data<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
}
TEST(Sum, converts_before_it_adds) { EXPECT_EQ(numbers(sum(vector({0.5, 0.5, 1.5}), Dtype::int64)), Numbers{1}); }
TEST(Sum, as_bool_is_whether_any_is_true) {
  EXPECT_EQ(numbers(sum(vector({0, 3}, Dtype::int64), Dtype::boolean)), Numbers{1});
}
TEST(Sum, of_nothing_is_0) { EXPECT_EQ(numbers(sum(vector({}))), Numbers{0}); }
TEST(Sum, along_an_empty_dimension_is_0_everywhere) {
  EXPECT_EQ(numbers(sum(tensor({2, 0}, {}), IntList{1})), (Numbers{0, 0}));
}
TEST(Sum, of_an_empty_tensor_along_a_filled_dimension_is_empty) {
  EXPECT_EQ(sizes(sum(tensor({2, 0}, {}), IntList{0})), Sizes{0});
}
TEST(Sum, gives_not_a_number_where_it_meets_one) {  // VAL-48
  EXPECT_TRUE(std::isnan(numbers(sum(vector({1, kNan, 2})))[0]));
}
TEST(Sum, keeps_the_dimension_with_keepdim) {
  EXPECT_EQ(sizes(sum(counting({2, 3, 4}), IntList{1}, true)), (Sizes{2, 1, 4}));
}
TEST(Sum, with_keepdim_of_a_tensor_without_dimensions_has_none) {  // GEO-53
  EXPECT_EQ(sizes(sum(scalar(3), IntList{0}, true)), Sizes{});
}
TEST(Sum, takes_a_negative_dimension_from_the_end) {
  EXPECT_EQ(numbers(sum(counting({2, 3}), IntList{-1})), (Numbers{3, 12}));
}
TEST(Sum, along_an_outer_dimension_adds_by_columns) {
  EXPECT_EQ(numbers(sum(counting({2, 3}), IntList{0})), (Numbers{3, 5, 7}));
}
TEST(Sum, of_no_named_dimension_is_of_all) { EXPECT_EQ(numbers(sum(counting({2, 3}), IntList{})), Numbers{15}); }
TEST(Sum, refuses_a_dimension_twice) {
  EXPECT_EQ(error_of([] { sum(counting({2, 3}), IntList{1, -1}); }), ErrorClass::dim_repeated);
  EXPECT_EQ(error_of([] { sum(counting({2, 3}), IntList{1, -1, 3}); }), ErrorClass::dim_range);
}
TEST(Sum, refuses_a_dimension_out_of_range) {
  EXPECT_EQ(error_of([] { sum(counting({2, 3}), IntList{2}); }), ErrorClass::dim_range);
}
TEST(Sum, of_a_transposed_tensor_is_row_major) {  // [ReduceOpsUtils.h, resize_reduction]
  EXPECT_EQ(strides(sum(transpose(counting({2, 3, 4}), 1, 2), IntList{0})), (Sizes{3, 1}));
}
TEST(Sum, of_an_expanded_tensor_counts_each_repetition) {
  EXPECT_EQ(numbers(sum(expand(vector({2}), {3000}))), Numbers{6000});
}
TEST(Sum, of_a_million_small_floats_loses_little) {
  const Tensor tenths = empty_tensor({1000000}, Dtype::float32);
  std::fill_n(tenths.data<float>(), 1000000, 0.1F);
  // A block's 4096 are added in 16 sums at least, of vectors of four: so often each is rounded, by 2^-24 of it. One sum
  // of them all loses 958.
  const double exact = 1000000 * static_cast<double>(0.1F);
  EXPECT_NEAR(numbers(sum(tenths))[0], exact, exact * (4096.0 / 16 + 8) * 0x1p-24);
}
TEST(Sum, is_the_same_with_any_number_of_threads) {
  std::mt19937 random(5);
  const Tensor many = empty_tensor({700001}, Dtype::float32);
  std::generate_n(many.data<float>(), 700001, [&] { return std::uniform_real_distribution<float>(-1, 1)(random); });
  const int before = num_threads();
  set_num_threads(1);
  const Numbers alone = numbers(sum(many));
  set_num_threads(3);
  const Numbers shared = numbers(sum(many));
  set_num_threads(before);
  EXPECT_EQ(alone, shared);
}

TEST(SumOut, is_computed_in_the_dtype_of_out) {
  const Tensor out = scalar(0, Dtype::float32);
  EXPECT_EQ(numbers(sum_out(vector({1, 2}, Dtype::int64), IntList{}, false, std::nullopt, out)), Numbers{3});
}
TEST(SumOut, wants_the_dtype_that_is_asked_for) {  // TYPE-73
  const Tensor out = scalar(0, Dtype::float64);
  EXPECT_EQ(error_of([&] { sum_out(vector({1}), IntList{}, false, Dtype::float32, out); }), ErrorClass::dtype_cast);
}
TEST(SumOut, gives_out_the_sizes_of_the_result) {  // GEO-72
  EXPECT_EQ(sizes(sum_out(counting({2, 3}), IntList{1}, false, std::nullopt, vector({9, 9, 9}))), Sizes{2});
}
TEST(SumOut, keeps_the_strides_of_an_out_that_has_its_sizes) {  // GEO-72
  const Tensor out = transpose(counting({2, 2}), 0, 1);
  sum_out(counting({2, 2, 2}), IntList{0}, false, std::nullopt, out);
  EXPECT_EQ(strides(out), (Sizes{1, 2}));
  EXPECT_EQ(numbers(out), (Numbers{4, 6, 8, 10}));
}
TEST(SumOut, refuses_an_out_that_it_reads) {  // GEO-74
  const Tensor self = counting({3});
  EXPECT_EQ(error_of([&] { sum_out(self, IntList{0}, false, std::nullopt, self); }), ErrorClass::overlap_partial);
}
TEST(SumOut, refuses_an_out_that_overlaps_itself) {  // GEO-74
  const Tensor out = expand(scalar(7), {2});
  EXPECT_EQ(error_of([&] { sum_out(counting({2, 3}), IntList{1}, false, std::nullopt, out); }),
            ErrorClass::overlap_internal);
}
TEST(SumOut, that_raises_has_not_resized_out) {  // GEO-75
  const Tensor self = counting({3});
  error_of([&] { sum_out(self, IntList{0}, false, std::nullopt, self); });
  EXPECT_EQ(sizes(self), Sizes{3});
}

TEST(Mean, divides_the_sum_by_the_number) {
  EXPECT_EQ(numbers(mean(counting({2, 4}), IntList{1})), (Numbers{1.5, 5.5}));
}
TEST(Mean, of_integers_is_refused) {  // TYPE-45
  EXPECT_EQ(error_of([] { mean(vector({1}, Dtype::int64)); }), ErrorClass::dtype_op);
}
TEST(Mean, of_integers_as_floats_is_taken) {  // TYPE-45
  EXPECT_EQ(numbers(mean(vector({1, 2}, Dtype::int64), Dtype::float64)), Numbers{1.5});
}
TEST(Mean, of_nothing_is_not_a_number) { EXPECT_TRUE(std::isnan(numbers(mean(vector({})))[0])); }

TEST(Softmax, of_equal_elements_is_even) {
  EXPECT_EQ(numbers(_softmax(vector({3, 3, 3, 3}), 0, false)), (Numbers{0.25, 0.25, 0.25, 0.25}));
}
TEST(Softmax, goes_along_its_dimension) {
  const Numbers result = numbers(_softmax(tensor({2, 2}, {0, 5, 0, 5}), 0, false));
  EXPECT_EQ(result, (Numbers{0.5, 0.5, 0.5, 0.5}));
}
TEST(Softmax, of_large_numbers_does_not_overflow) {
  EXPECT_EQ(numbers(_softmax(vector({1000, -kInfinity}), 0, false)), (Numbers{1, 0}));
}
TEST(Softmax, of_integers_has_no_kernel) {
  EXPECT_EQ(error_of([] { _softmax(vector({1}, Dtype::int64), 0, false); }), ErrorClass::dtype_op);
}
TEST(Softmax, of_no_integers_is_empty) { EXPECT_EQ(sizes(_softmax(vector({}, Dtype::int64), 0, false)), Sizes{0}); }
TEST(Softmax, of_a_tensor_without_dimensions_is_1) { EXPECT_EQ(numbers(_softmax(scalar(4), 0, false)), Numbers{1}); }

TEST(Max, is_the_largest) { EXPECT_EQ(numbers(max(vector({2, 7, -1}))), Numbers{7}); }
TEST(Max, of_nothing_is_an_error) {
  EXPECT_EQ(error_of([] { max(vector({})); }), ErrorClass::range);
}
TEST(Max, gives_not_a_number_where_it_meets_one) {  // VAL-48
  Numbers all(100, 1);
  all[37] = kNan;
  EXPECT_TRUE(std::isnan(numbers(max(vector(all)))[0]));
}
TEST(Max, of_bools_is_whether_any_is_true) { EXPECT_EQ(numbers(max(vector({0, 1}, Dtype::boolean))), Numbers{1}); }
TEST(Max, of_negative_infinities_is_one) { EXPECT_EQ(numbers(max(vector({-kInfinity}))), Numbers{-kInfinity}); }
TEST(MaxDim, gives_the_first_of_equal_maxima) {  // VAL-47
  EXPECT_EQ(numbers(std::get<1>(max(vector({1, 5, 5, 2}), 0))), Numbers{1});
}
TEST(MaxDim, gives_the_first_not_a_number) {  // VAL-48
  EXPECT_EQ(numbers(std::get<1>(max(vector({9, kNan, kNan}), 0))), Numbers{1});
}
TEST(MaxDim, goes_along_an_outer_dimension) {
  const auto [values, indices] = max(tensor({2, 3}, {1, 9, 3, 4, 5, 6}), 0);
  EXPECT_EQ(numbers(values), (Numbers{4, 9, 6}));
  EXPECT_EQ(numbers(indices), (Numbers{1, 0, 1}));
}
TEST(MaxDim, with_keepdim_of_a_tensor_without_dimensions_has_none) {  // GEO-53
  EXPECT_EQ(sizes(std::get<0>(max(scalar(3), -1, true))), Sizes{});
}
TEST(MaxDim, along_an_empty_dimension_is_an_error) {
  EXPECT_EQ(error_of([] { max(tensor({2, 0}, {}), 1); }), ErrorClass::range);
}
TEST(MaxDim, beside_an_empty_dimension_is_empty) {
  EXPECT_EQ(sizes(std::get<1>(max(tensor({2, 0}, {}), 0))), Sizes{0});
}
TEST(Argmax, of_all_counts_row_major) {
  EXPECT_EQ(numbers(argmax(transpose(tensor({2, 2}, {0, 3, 1, 2}), 0, 1))), Numbers{2});
}
TEST(Argmax, of_all_with_keepdim_has_as_many_dimensions) {
  EXPECT_EQ(sizes(argmax(counting({2, 3}), std::nullopt, true)), (Sizes{1, 1}));
}
TEST(Argmax, refuses_bools) {  // TYPE-58
  EXPECT_EQ(error_of([] { argmax(vector({1}, Dtype::boolean)); }), ErrorClass::dtype_op);
}
TEST(Argmax, of_nothing_is_an_error) {
  EXPECT_EQ(error_of([] { argmax(vector({})); }), ErrorClass::range);
}
TEST(Aminmax, gives_both_extremes) {
  const auto [least, most] = aminmax(tensor({2, 2}, {4, 1, 8, 3}), 1);
  EXPECT_EQ(numbers(least), (Numbers{1, 3}));
  EXPECT_EQ(numbers(most), (Numbers{4, 8}));
}
TEST(Aminmax, of_nothing_is_an_error) {
  EXPECT_EQ(error_of([] { aminmax(vector({})); }), ErrorClass::range);
}

/// Every way in which the dimensions of a tensor of three can be reduced, of every layout that a permutation gives.
class Layouts : public ::testing::TestWithParam<Sizes> {
 protected:
  /// The element of the result to which an element goes that stands at `place`, counted row-major.
  static Numbers added_one_by_one(const Tensor& self, const std::vector<bool>& reduced) {
    Sizes of_result;
    for (std::size_t d = 0; d < 3; ++d)
      if (!reduced[d]) of_result.push_back(self.sizes()[d]);
    Numbers sums(static_cast<std::size_t>(numel_of(of_result)));
    const Numbers all = numbers(self);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::size_t rest = i;
      std::size_t place = 0;
      std::size_t step = 1;
      for (std::size_t d = 3; d-- > 0;) {
        const auto size = static_cast<std::size_t>(self.sizes()[d]);
        if (!reduced[d]) {
          place += rest % size * step;
          step *= size;
        }
        rest /= size;
      }
      sums[place] += all[i];
    }
    return sums;
  }
};

TEST_P(Layouts, do_not_change_a_sum) {
  const Tensor self = permute(counting({5, 70, 33}), GetParam());
  for (unsigned subset = 1; subset < 8; ++subset) {
    Sizes dims;
    std::vector<bool> reduced(3);
    for (std::size_t d = 0; d < 3; ++d)
      if ((subset >> d & 1U) != 0) {
        dims.push_back(static_cast<std::int64_t>(d));
        reduced[d] = true;
      }
    const Tensor of_integers = sum(self, IntList(dims), false, Dtype::int64);
    EXPECT_EQ(numbers(of_integers), added_one_by_one(self, reduced));
    EXPECT_EQ(numbers(sum(self, IntList(dims), false, Dtype::float64)), numbers(of_integers));
  }
}
INSTANTIATE_TEST_SUITE_P(Sum, Layouts,
                         ::testing::Values(Sizes{0, 1, 2}, Sizes{0, 2, 1}, Sizes{1, 0, 2}, Sizes{1, 2, 0},
                                           Sizes{2, 0, 1}, Sizes{2, 1, 0}));

}  // namespace
}  // namespace plumbline::optimized::reduction_test
