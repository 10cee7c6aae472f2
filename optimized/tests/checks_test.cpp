// What kernels look at: dimensions, sizes, dtypes, overlap, numbers and strides.
#include "optimized/cpu/checks.h"

#include <gtest/gtest.h>

#include <limits>

#include "optimized/tests/values.h"

namespace plumbline::optimized::checks_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

TEST(Dim, a_negative_one_counts_from_the_end) { EXPECT_EQ(wrapped_dim(-1, 3), 2); }  // GEO-01
TEST(Dim, of_a_tensor_without_dimensions_is_0_or_less_1) { EXPECT_EQ(wrapped_dim(-1, 0), 0); }
TEST(Dim, out_of_range_is_refused) {  // GEO-01
  EXPECT_EQ(error_of([] { wrapped_dim(3, 3); }), ErrorClass::dim_range);
}
TEST(Sizes, broadcast_to_0_where_one_is_0) {
  EXPECT_EQ(IntList(broadcast_sizes(IntList{0, 1}, IntList{1, 3})).vec(), (Sizes{0, 3}));
}
TEST(Sizes, of_0_and_2_do_not_fit) {
  EXPECT_EQ(error_of([] { broadcast_sizes(IntList{0}, IntList{2}); }), ErrorClass::shape);
}
TEST(Cast, of_a_float_to_an_integer_is_refused) {
  EXPECT_EQ(error_of([] { check_cast(Dtype::float32, Dtype::int64); }), ErrorClass::dtype_cast);
}
TEST(Cast, of_an_integer_to_a_smaller_one_is_allowed) {
  EXPECT_EQ(error_of([] { check_cast(Dtype::int64, Dtype::int32); }), ErrorClass::none);
}
TEST(Cast, of_a_number_to_a_bool_is_refused) {
  EXPECT_EQ(error_of([] { check_cast(Dtype::int32, Dtype::boolean); }), ErrorClass::dtype_cast);
}
TEST(Number, is_truncated_for_integers) { EXPECT_EQ(checked_number(-2.75, Dtype::int32).integer(), -2); }
TEST(Number, is_rounded_for_float32) { EXPECT_EQ(checked_number(0.1, Dtype::float32).real(), 0.1F); }
TEST(Number, that_is_infinite_fits_floats) {
  EXPECT_EQ(error_of([] { checked_number(std::numeric_limits<double>::infinity(), Dtype::float32); }),
            ErrorClass::none);
}
TEST(Number, that_is_infinite_fits_no_integer) {
  EXPECT_EQ(error_of([] { checked_number(std::numeric_limits<double>::infinity(), Dtype::int64); }),
            ErrorClass::number_cast);
}
TEST(Number, of_2_to_the_63_becomes_the_least) {
  EXPECT_EQ(checked_number(9223372036854775808.0, Dtype::int64).integer(), std::numeric_limits<std::int64_t>::min());
}
TEST(Overlap, of_no_elements_is_none) {
  EXPECT_EQ(error_of([] { check_internal_overlap(alias_of(vector({1}), {0, 3}, {1, 0}, 0)); }), ErrorClass::none);
}
TEST(Overlap, of_neighbours_is_none) {
  const Tensor all = counting({4});
  EXPECT_EQ(error_of([&] { check_overlap(alias_of(all, {2}, {1}, 0), alias_of(all, {2}, {1}, 2)); }), ErrorClass::none);
}
TEST(Overlap, of_the_same_memory_in_other_strides_is_partial) {
  const Tensor all = counting({2, 2});
  EXPECT_EQ(error_of([&] { check_partial_overlap(all, alias_of(all, {2, 2}, {1, 2}, 0)); }),
            ErrorClass::overlap_partial);
}
TEST(Overlap, of_bytes_counts_across_dtypes) {
  const Tensor all = counting({4}, Dtype::int64);
  Tensor halves = alias_of(all, {4}, {1}, 2);
  halves.impl().dtype = Dtype::int32;
  EXPECT_EQ(error_of([&] { check_partial_overlap(all, halves); }), ErrorClass::overlap_partial);
}
TEST(Overlap, that_is_not_dense_is_not_seen) {
  const Tensor all = counting({6});
  EXPECT_EQ(error_of([&] { check_partial_overlap(alias_of(all, {3}, {2}, 0), alias_of(all, {3}, {1}, 0)); }),
            ErrorClass::none);
}
TEST(Dense, is_any_order_without_gaps) { EXPECT_TRUE(is_dense(IntList{3, 2, 4}, IntList{1, 12, 3})); }
TEST(Dense, is_not_what_repeats) { EXPECT_FALSE(is_dense(IntList{3, 2}, IntList{0, 1})); }
TEST(Dense, is_whatever_is_empty) { EXPECT_TRUE(is_dense(IntList{0, 2}, IntList{9, 0})); }
TEST(Resize, keeps_a_storage_that_is_long_enough) {  // GEO-65
  const Tensor out = counting({4});
  const auto storage = out.storage()->data();
  resize_output(out, {2});
  EXPECT_EQ(out.storage()->data(), storage);
}
TEST(Resize, keeps_the_elements_that_there_were) {  // GEO-65
  const Tensor out = counting({2});
  resize_output(out, {400});
  EXPECT_EQ(out.data<float>()[1], 1);
}
TEST(Resize, reaches_as_far_as_the_offset_asks) {  // GEO-65
  const Tensor out = alias_of(counting({4}), {1}, {1}, 3);
  resize_output(out, {5, 2, 2, 2, 2});
  EXPECT_EQ(out.storage()->bytes(), 83 * sizeof(float));
}

}  // namespace
}  // namespace plumbline::optimized::checks_test
