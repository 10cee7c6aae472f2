// add, sub, mul and div: values, dtypes, strides, overlap, and what is refused before anything is written.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "optimized/cpu/parallel.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::pointwise_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor number(double value) {
  Tensor wrapped = scalar(value, Dtype::float64);
  wrapped.impl().wrapped_number = true;
  return wrapped;
}
Tensor transposed(const Tensor& of) {
  return alias_of(of, {of.size(1), of.size(0)}, {of.stride(1), of.stride(0)}, of.offset());
}

TEST(Add, adds) { EXPECT_EQ(numbers(add(vector({1, 2}), vector({3, 5}))), (Numbers{4, 7})); }
TEST(Add, of_one_element_adds) { EXPECT_EQ(numbers(add(vector({1}), vector({3}))), Numbers{4}); }
TEST(Add, of_one_element_in_five_dimensions_adds) {
  EXPECT_EQ(sizes(add(tensor({1, 1, 1, 1, 1}, {1}), tensor({1, 1, 1, 1, 1}, {2}))), (Sizes{1, 1, 1, 1, 1}));
}
TEST(Add, of_nothing_is_nothing) { EXPECT_EQ(sizes(add(tensor({0, 3}, {}), tensor({0, 3}, {}))), (Sizes{0, 3})); }
TEST(Add, scales_the_second_by_alpha) { EXPECT_EQ(numbers(add(vector({1, 2}), vector({3, 5}), 2)), (Numbers{7, 12})); }
TEST(Add, of_integers_wraps) {
  EXPECT_EQ(numbers(add(vector({2147483647}, Dtype::int32), vector({1}, Dtype::int32))), Numbers{-2147483648.0});
}
TEST(Add, of_bools_is_or) {
  EXPECT_EQ(numbers(add(vector({0, 0, 1, 1}, Dtype::boolean), vector({0, 1, 0, 1}, Dtype::boolean))),
            (Numbers{0, 1, 1, 1}));
}
TEST(Add, many_elements_are_added_by_several_threads) {
  const std::int64_t n = 3 * kParallelElements + 5;
  set_num_threads(3);
  const Tensor sum_of_all = add(ones({n}), ones({n}));
  set_num_threads(1);
  EXPECT_EQ(numbers(sum_of_all), Numbers(static_cast<std::size_t>(n), 2));
}
TEST(Add, of_every_length_does_no_more_and_no_less) {
  for (std::int64_t n = 0; n < 200; ++n) {
    const Tensor out = zeros({n + 1});
    const Tensor part = alias_of(out, {n}, {1}, 0);
    add_(part, ones({n}));
    Numbers expected(static_cast<std::size_t>(n), 1);
    expected.push_back(0);
    ASSERT_EQ(numbers(out), expected);
  }
}
TEST(Sub, scales_the_second_by_alpha) { EXPECT_EQ(numbers(sub(vector({1, 2}), vector({3, 5}), 2)), (Numbers{-5, -8})); }
TEST(Mul, of_bools_is_and) {
  EXPECT_EQ(numbers(mul(vector({0, 0, 1, 1}, Dtype::boolean), vector({0, 1, 0, 1}, Dtype::boolean))),
            (Numbers{0, 0, 0, 1}));
}
TEST(Mul, of_int64_wraps) {
  const Tensor most = full({3}, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(*mul(most, most).data<std::int64_t>(), 1);
}
TEST(Div, of_integers_is_a_float32) {  // TYPE-43
  EXPECT_EQ(div(vector({1}, Dtype::int64), vector({2}, Dtype::int64)).dtype(), Dtype::float32);
}
TEST(Div, of_integers_is_true_division) {  // TYPE-43
  EXPECT_EQ(numbers(div(vector({1, 3}, Dtype::int64), vector({2, 4}, Dtype::int64))), (Numbers{0.5, 0.75}));
}
TEST(Div, by_0_is_infinite) {
  EXPECT_TRUE(std::isinf(numbers(div(vector({1}, Dtype::int32), vector({0}, Dtype::int32)))[0]));
}

TEST(Promotion, a_tensor_with_dimensions_outranks_one_without) {  // TYPE-40
  EXPECT_EQ(add(vector({1}), scalar(1, Dtype::float64)).dtype(), Dtype::float32);
}
TEST(Promotion, a_higher_kind_counts_from_the_lower_rank_too) {  // TYPE-40
  EXPECT_EQ(add(vector({1}, Dtype::int32), scalar(1, Dtype::float64)).dtype(), Dtype::float64);
}
TEST(Promotion, a_number_ranks_below_a_tensor_without_dimensions) {  // TYPE-40
  EXPECT_EQ(add(scalar(1, Dtype::float32), number(0.5)).dtype(), Dtype::float32);
}
TEST(Promotion, a_number_that_is_a_float_makes_integers_float32) {  // TYPE-40
  EXPECT_EQ(add(vector({1}, Dtype::int64), number(0.5)).dtype(), Dtype::float32);
}
TEST(Promotion, the_higher_kind_wins_as_it_is) {  // TYPE-41
  EXPECT_EQ(add(vector({1}, Dtype::int64), vector({1}, Dtype::float32)).dtype(), Dtype::float32);
}
TEST(Promotion, a_number_keeps_its_precision_with_float64) {
  EXPECT_EQ(numbers(add(vector({0, 0}, Dtype::float64), number(0.1))), (Numbers{0.1, 0.1}));
}

TEST(Broadcast, sizes_match_from_the_back) {  // GEO-18
  EXPECT_EQ(numbers(add(counting({2, 3}), vector({10, 20, 30}))), (Numbers{10, 21, 32, 13, 24, 35}));
}
TEST(Broadcast, a_size_of_1_stretches_on_both_sides) {  // GEO-18
  EXPECT_EQ(numbers(add(tensor({2, 1}, {1, 2}), vector({10, 20}))), (Numbers{11, 21, 12, 22}));
}
TEST(Broadcast, sizes_that_do_not_fit_are_refused) {  // GEO-18
  EXPECT_EQ(error_of([] { add(vector({1, 2}), vector({1, 2, 3})); }), ErrorClass::shape);
}
TEST(Broadcast, an_in_place_op_stretches_its_argument_only) {
  EXPECT_EQ(error_of([] { add_(vector({1}), vector({1, 2})); }), ErrorClass::shape);
}

TEST(Strides, follow_the_inputs) {  // GEO-24
  const Tensor columns = transposed(counting({2, 3}));
  EXPECT_EQ(strides(add(columns, columns)), (Sizes{1, 3}));
}
TEST(Strides, of_a_transposed_and_a_row_major_input_follow_the_first) {  // GEO-24
  EXPECT_EQ(strides(add(transposed(counting({2, 3})), counting({3, 2}))), (Sizes{1, 3}));
}
TEST(Strides, of_a_transposed_and_a_row_major_input_add_what_belongs_together) {
  EXPECT_EQ(numbers(add(transposed(counting({2, 3})), counting({3, 2}))), (Numbers{0, 4, 3, 7, 6, 10}));
}
TEST(Strides, of_a_repeated_input_do_not_count) {  // GEO-24
  const Tensor repeated = alias_of(vector({1, 2}), {3, 2}, {0, 1}, 0);
  EXPECT_EQ(strides(add(repeated, repeated)), (Sizes{2, 1}));
}
TEST(Strides, of_size_1_are_row_major_where_all_inputs_are) {
  const Tensor odd = alias_of(counting({6}), {2, 1, 3}, {3, 7, 1}, 0);
  EXPECT_EQ(strides(add(odd, odd)), (Sizes{3, 3, 1}));
}

TEST(Inplace, writes_its_first_argument) {
  const Tensor self = vector({1, 2});
  mul_(self, vector({3, 4}));
  EXPECT_EQ(numbers(self), (Numbers{3, 8}));
}
TEST(Inplace, takes_itself) {
  const Tensor self = vector({1, 2});
  sub_(self, self);
  EXPECT_EQ(numbers(self), (Numbers{0, 0}));
}
TEST(Inplace, computes_in_the_common_dtype_and_converts) {
  const Tensor self = vector({1, 2}, Dtype::float32);
  add_(self, vector({0.5, 0.25}, Dtype::float64));
  EXPECT_EQ(numbers(self), (Numbers{1.5, 2.25}));
}
TEST(Inplace, refuses_a_result_of_a_higher_kind) {  // TYPE-42
  EXPECT_EQ(error_of([] { add_(vector({1}, Dtype::int64), vector({1})); }), ErrorClass::dtype_cast);
}
TEST(Inplace, div_of_integers_is_refused) {  // TYPE-42
  EXPECT_EQ(error_of([] { div_(vector({1}, Dtype::int64), vector({1}, Dtype::int64)); }), ErrorClass::dtype_cast);
}
TEST(Inplace, a_repeated_tensor_is_refused) {  // GEO-19
  const Tensor repeated = alias_of(vector({1}), {2}, {0}, 0);
  EXPECT_EQ(error_of([&] { add_(repeated, vector({1, 1})); }), ErrorClass::overlap_internal);
}
TEST(Inplace, a_partial_overlap_is_refused) {  // GEO-20
  const Tensor all = counting({4});
  EXPECT_EQ(error_of([&] { add_(alias_of(all, {3}, {1}, 1), alias_of(all, {3}, {1}, 0)); }),
            ErrorClass::overlap_partial);
}
TEST(Inplace, a_refused_overlap_has_written_nothing) {  // GEO-20
  const Tensor all = counting({4});
  error_of([&] { add_(alias_of(all, {3}, {1}, 1), alias_of(all, {3}, {1}, 0)); });
  EXPECT_EQ(numbers(all), (Numbers{0, 1, 2, 3}));
}
TEST(Inplace, another_view_of_the_same_elements_is_taken) {  // GEO-20
  const Tensor all = counting({4});
  add_(all, alias_of(all, {4}, {1}, 0));
  EXPECT_EQ(numbers(all), (Numbers{0, 2, 4, 6}));
}

TEST(Out, of_other_sizes_is_resized) {  // GEO-72
  const Tensor out = vector({7});
  call<op::add_out>(vector({1, 2}), vector({3, 5}), 1, out);
  EXPECT_EQ(numbers(out), (Numbers{4, 7}));
}
TEST(Out, of_other_sizes_takes_the_strides_of_the_result) {  // GEO-72
  const Tensor columns = transposed(counting({2, 3}));
  const Tensor out = vector({});
  call<op::mul_out>(columns, columns, out);
  EXPECT_EQ(strides(out), (Sizes{1, 3}));
}
TEST(Out, of_the_same_sizes_keeps_its_strides) {  // GEO-72
  const Tensor out = transposed(counting({2, 3}));
  call<op::mul_out>(counting({3, 2}), counting({3, 2}), out);
  EXPECT_EQ(numbers(out), (Numbers{0, 1, 4, 9, 16, 25}));
}
TEST(Out, may_be_of_another_dtype) {  // TYPE-73
  const Tensor out = vector({0, 0}, Dtype::float64);
  call<op::div_out>(vector({1, 3}), vector({2, 2}), out);
  EXPECT_EQ(numbers(out), (Numbers{0.5, 1.5}));
}
TEST(Out, of_a_lower_kind_is_refused_at_its_old_sizes) {  // GEO-75
  const Tensor out = vector({7}, Dtype::int64);
  error_of([&] { call<op::add_out>(vector({1, 2}), vector({3, 5}), 1, out); });
  EXPECT_EQ(sizes(out), Sizes{1});
}
TEST(Out, with_a_wrong_alpha_keeps_its_sizes) {  // GEO-75
  const Tensor out = vector({7}, Dtype::int64);
  error_of([&] { call<op::add_out>(vector({1, 2}, Dtype::int64), vector({3, 5}, Dtype::int64), 0.5, out); });
  EXPECT_EQ(sizes(out), Sizes{1});
}
TEST(Out, may_be_an_input) {  // GEO-74
  const Tensor out = vector({1, 2});
  call<op::add_out>(out, vector({3, 5}), 1, out);
  EXPECT_EQ(numbers(out), (Numbers{4, 7}));
}
TEST(Out, that_is_an_input_is_not_resized) {
  const Tensor out = vector({1});
  EXPECT_EQ(error_of([&] { call<op::add_out>(out, vector({3, 5}), 1, out); }), ErrorClass::shape);
}

TEST(Alpha, a_float_is_refused_for_integers) {
  EXPECT_EQ(error_of([] { add(vector({1}, Dtype::int64), vector({1}, Dtype::int64), 0.5); }),
            ErrorClass::dtype_mismatch);
}
TEST(Alpha, a_bool_is_refused_but_for_bools) {
  EXPECT_EQ(error_of([] { add(vector({1}), vector({1}), true); }), ErrorClass::dtype_mismatch);
}
TEST(Alpha, beyond_the_dtype_is_refused) {
  EXPECT_EQ(error_of([] { add(vector({1}, Dtype::int32), vector({1}, Dtype::int32), std::int64_t{1} << 40); }),
            ErrorClass::number_cast);
}
TEST(Alpha, the_least_integer_is_negated_as_it_wraps) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(*sub(full({2}, 0), full({2}, 1), kLeast).data<std::int64_t>(), kLeast);
}
TEST(Sub, of_bools_is_refused) {
  EXPECT_EQ(error_of([] { sub(vector({1}, Dtype::boolean), vector({1})); }), ErrorClass::dtype_mismatch);
}

TEST(Where, takes_from_one_or_the_other) {
  EXPECT_EQ(numbers(where(vector({1, 0}, Dtype::boolean), vector({1, 2}), vector({3, 4}))), (Numbers{1, 4}));
}
TEST(Where, promotes_its_operands) {
  EXPECT_EQ(where(vector({1}, Dtype::boolean), vector({1}, Dtype::int64), scalar(0.5)).dtype(), Dtype::float32);
}
TEST(Where, broadcasts_its_condition) {
  EXPECT_EQ(sizes(where(tensor({2, 1}, {1, 0}, Dtype::boolean), vector({1, 2, 3}), scalar(0))), (Sizes{2, 3}));
}
TEST(Where, refuses_a_condition_that_is_not_of_bools) {
  EXPECT_EQ(error_of([] { where(vector({1}), vector({1}), vector({2})); }), ErrorClass::dtype_mismatch);
}
TEST(MaskedFill, fills_where_the_mask_is) {
  EXPECT_EQ(numbers(masked_fill(vector({1, 2}), vector({0, 1}, Dtype::boolean), 9)), (Numbers{1, 9}));
}
TEST(MaskedFill, is_row_major_whatever_its_input) {
  const Tensor columns = transposed(counting({2, 3}));
  EXPECT_EQ(strides(masked_fill(columns, tensor({1}, {1}, Dtype::boolean), 0)), (Sizes{2, 1}));
}
TEST(MaskedFill, in_place_may_write_overlapping_memory) {  // GEO-49
  const Tensor repeated = alias_of(vector({1}), {2}, {0}, 0);
  masked_fill_(repeated, vector({0, 1}, Dtype::boolean), 9);
  EXPECT_EQ(numbers(repeated), (Numbers{9, 9}));
}
TEST(MaskedFill, refuses_a_mask_that_is_not_of_bools) {  // TYPE-56
  EXPECT_EQ(error_of([] { masked_fill(vector({1}), vector({1}), 0); }), ErrorClass::dtype_mismatch);
}
TEST(MaskedFill, refuses_a_number_beyond_the_dtype) {
  EXPECT_EQ(error_of([] { masked_fill_(vector({1}, Dtype::int32), vector({1}, Dtype::boolean), 1e10); }),
            ErrorClass::number_cast);
}
TEST(MaskedFill, takes_any_number_for_a_nan) {
  EXPECT_TRUE(std::isnan(numbers(masked_fill(vector({1}), vector({1}, Dtype::boolean), kNan))[0]));
}

}  // namespace
}  // namespace plumbline::optimized::pointwise_test
