// index_select, gather and index_fill: which indices they take, and what they raise before they write.
#include <gtest/gtest.h>

#include "optimized/tests/values.h"

namespace plumbline::optimized::index_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

Tensor indices(const Numbers& all, Dtype dtype = Dtype::int64) { return vector(all, dtype); }

TEST(IndexSelect, takes_rows_in_the_order_of_the_indices) {
  EXPECT_EQ(numbers(index_select(counting({3, 2}), 0, indices({2, 0, 2}))), (Numbers{4, 5, 0, 1, 4, 5}));
}
TEST(IndexSelect, takes_columns) {
  EXPECT_EQ(numbers(index_select(counting({2, 3}), -1, indices({2, 1}))), (Numbers{2, 1, 5, 4}));
}
TEST(IndexSelect, of_a_transposed_tensor_is_row_major) {
  const Tensor result = index_select(t(counting({2, 3})), 0, indices({2, 0}));
  EXPECT_EQ(numbers(result), (Numbers{2, 5, 0, 3}));
  EXPECT_EQ(strides(result), (Sizes{2, 1}));
}
TEST(IndexSelect, takes_int32) {  // TYPE-54
  EXPECT_EQ(numbers(index_select(vector({5, 6}), 0, indices({1}, Dtype::int32))), Numbers{6});
}
TEST(IndexSelect, takes_no_other_dtype) {
  EXPECT_EQ(error_of([] { index_select(vector({5}), 0, vector({0})); }), ErrorClass::dtype_mismatch);
}
TEST(IndexSelect, takes_no_negative_index) {  // GEO-70
  EXPECT_EQ(error_of([] { index_select(vector({5, 6}), 0, indices({-1})); }), ErrorClass::index_range);
}
TEST(IndexSelect, of_a_tensor_without_dimensions_takes_one_index) {  // GEO-55
  EXPECT_EQ(numbers(index_select(scalar(4), 0, indices({0}))), Numbers{4});
  EXPECT_EQ(error_of([] { index_select(scalar(4), 0, indices({0, 0})); }), ErrorClass::shape);
}
TEST(IndexSelect, by_no_index_is_empty) {
  EXPECT_EQ(sizes(index_select(counting({2, 3}), 1, indices({}))), (Sizes{2, 0}));
}
TEST(IndexSelect, refuses_an_index_of_two_dimensions) {
  EXPECT_EQ(error_of([] { index_select(vector({5}), 0, tensor({1, 1}, {0}, Dtype::int64)); }), ErrorClass::shape);
}
TEST(IndexSelect, of_bools_gives_bools) {
  EXPECT_EQ(numbers(index_select(vector({1, 0}, Dtype::boolean), 0, indices({1, 0}))), (Numbers{0, 1}));
}

TEST(Gather, reads_along_its_dimension) {
  const Tensor index = tensor({2, 2}, {0, 0, 1, 0}, Dtype::int64);
  EXPECT_EQ(numbers(gather(tensor({2, 2}, {1, 2, 3, 4}), 1, index)), (Numbers{1, 1, 4, 3}));
}
TEST(Gather, has_the_sizes_of_index_which_may_be_smaller) {  // GEO-71
  EXPECT_EQ(numbers(gather(counting({3, 4}), 0, tensor({1, 2}, {2, 1}, Dtype::int64))), (Numbers{8, 5}));
}
TEST(Gather, refuses_an_index_that_is_larger_apart_from_its_dimension) {  // GEO-71
  EXPECT_EQ(error_of([] { gather(counting({2, 2}), 1, tensor({3, 1}, {0, 0, 0}, Dtype::int64)); }), ErrorClass::shape);
}
TEST(Gather, takes_int32) {  // TYPE-54
  EXPECT_EQ(numbers(gather(vector({5, 6}), 0, indices({1}, Dtype::int32))), Numbers{6});
}
TEST(Gather, takes_no_negative_index) {  // GEO-70
  EXPECT_EQ(error_of([] { gather(vector({5, 6}), 0, indices({-1})); }), ErrorClass::index_range);
}
TEST(Gather, of_a_tensor_without_dimensions_takes_a_vector) {
  EXPECT_EQ(numbers(gather(scalar(4), 0, indices({0, 0}))), (Numbers{4, 4}));
}
TEST(Gather, by_no_index_does_not_look_at_its_dtype) {
  EXPECT_EQ(sizes(gather(vector({1}), 0, tensor({0, 3}, {}))), (Sizes{0, 3}));
}

TEST(IndexFill, counts_a_negative_index_from_the_end) {  // GEO-70
  EXPECT_EQ(numbers(index_fill(vector({1, 2, 3}), 0, indices({-1}), 9)), (Numbers{1, 2, 9}));
}
TEST(IndexFill, keeps_the_order_of_the_strides) {
  EXPECT_EQ(strides(index_fill(t(counting({2, 3})), 0, indices({0}), 1)), (Sizes{1, 3}));
}
TEST(IndexFill, takes_no_int32) {
  EXPECT_EQ(error_of([] { index_fill(vector({1}), 0, indices({0}, Dtype::int32), 1); }), ErrorClass::dtype_mismatch);
}
TEST(IndexFillInplace, fills_columns) {
  const Tensor self = counting({2, 3});
  index_fill_(self, 1, indices({0, 2}), -1);
  EXPECT_EQ(numbers(self), (Numbers{-1, 1, -1, -1, 4, -1}));
}
TEST(IndexFillInplace, that_raises_has_written_nothing) {  // GEO-75
  const Tensor self = counting({3});
  EXPECT_EQ(error_of([&] { index_fill_(self, 0, indices({0, 3}), -1); }), ErrorClass::index_range);
  EXPECT_EQ(numbers(self), (Numbers{0, 1, 2}));
}
TEST(IndexFillInplace, refuses_a_number_that_does_not_fit) {
  const Tensor self = vector({1}, Dtype::int32);
  EXPECT_EQ(error_of([&] { index_fill_(self, 0, indices({0}), 1e10); }), ErrorClass::number_cast);
}
TEST(IndexFillInplace, refuses_an_index_that_it_writes) {
  const Tensor self = indices({0, 1});
  EXPECT_EQ(error_of([&] { index_fill_(self, 0, self, 5); }), ErrorClass::overlap_partial);
}
TEST(IndexFillInplace, of_an_expanded_tensor_fills_what_shares_memory) {
  const Tensor self = expand(vector({1}), {3});
  EXPECT_EQ(numbers(index_fill_(self, 0, indices({1}), 4)), (Numbers{4, 4, 4}));
}
TEST(IndexFillInplace, reads_each_index_before_it_writes_any) {
  const Tensor memory = indices({0, 1, 7, 7});
  const Tensor index = as_strided(memory, {2, 1}, {2, 1});  // not dense: what it shares is not looked for
  EXPECT_NO_THROW(index_fill_(as_strided(memory, {2}, {2}, 1), 0, squeeze(slice(index, 0, 0, 1)), 99));
}
TEST(IndexFillInplace, of_an_empty_dimension_at_the_end_of_memory_is_refused) {  // as PyTorch's restrided view is
  const Tensor self = slice(counting({2}), 0, 2, 2);
  EXPECT_EQ(error_of([&] { index_fill_(self, 0, indices({0}), 1); }), ErrorClass::storage_bounds);
}

}  // namespace
}  // namespace plumbline::optimized::index_test
