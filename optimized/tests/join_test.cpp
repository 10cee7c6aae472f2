// cat and stack: sizes, dtypes, strides, what is passed over, and out.
#include <gtest/gtest.h>

#include <limits>

#include "optimized/tests/values.h"

namespace plumbline::optimized::join_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

using Tensors = std::vector<Tensor>;

Tensor cat_of(const Tensors& tensors, std::int64_t dim = 0) { return cat(tensors, dim); }
Tensor stack_of(const Tensors& tensors, std::int64_t dim = 0) { return stack(tensors, dim); }
const Tensor& cat_into(const Tensor& out, const Tensors& tensors, std::int64_t dim = 0) {
  return cat_out(tensors, dim, out);
}
/// A tensor of these sizes whose channels, dimension 1, run fastest.
Tensor channels_last(const Sizes& sizes) {
  return permute(counting({sizes[0], sizes[2], sizes[3], sizes[1]}), {0, 3, 1, 2});
}

TEST(Cat, puts_one_behind_the_other) {
  EXPECT_EQ(numbers(cat_of({counting({2, 2}), counting({1, 2})})), (Numbers{0, 1, 2, 3, 0, 1}));
}
TEST(Cat, along_an_inner_dimension) {
  EXPECT_EQ(numbers(cat_of({counting({2, 2}), counting({2, 1})}, -1)), (Numbers{0, 1, 0, 2, 3, 1}));
}
TEST(Cat, of_transposed_tensors) {
  EXPECT_EQ(numbers(cat_of({t(counting({2, 2})), counting({1, 2})})), (Numbers{0, 2, 1, 3, 0, 1}));
}
TEST(Cat, has_the_dtype_to_which_all_promote) {
  EXPECT_EQ(cat_of({vector({1}, Dtype::int64), vector({1}), vector({1}, Dtype::boolean)}).dtype(), Dtype::float32);
}
TEST(Cat, passes_over_an_empty_tensor_of_one_dimension) {  // GEO-63
  EXPECT_EQ(sizes(cat_of({vector({}), counting({2, 3})}, 1)), (Sizes{2, 3}));
}
TEST(Cat, counts_the_dtype_of_what_it_passes_over) {  // GEO-63
  EXPECT_EQ(cat_of({vector({}, Dtype::float64), vector({1})}).dtype(), Dtype::float64);
}
TEST(Cat, of_what_it_passes_over_alone_is_empty) { EXPECT_EQ(sizes(cat_of({vector({}), vector({})}, 9)), Sizes{0}); }
TEST(Cat, does_not_pass_over_an_empty_matrix) {
  EXPECT_EQ(error_of([] { cat_of({tensor({0, 2}, {}), counting({1, 3})}); }), ErrorClass::shape);
}
TEST(Cat, refuses_sizes_that_do_not_fit) {
  EXPECT_EQ(error_of([] { cat_of({counting({2, 2}), counting({2, 3})}); }), ErrorClass::shape);
}
TEST(Cat, refuses_a_tensor_without_dimensions) {
  EXPECT_EQ(error_of([] { cat_of({vector({1}), scalar(1)}); }), ErrorClass::shape);
}
TEST(Cat, refuses_an_empty_list) {
  EXPECT_EQ(error_of([] { cat_of({}); }), ErrorClass::range);
}
TEST(Cat, refuses_a_dimension_out_of_range) {
  EXPECT_EQ(error_of([] { cat_of({vector({1})}, 1); }), ErrorClass::dim_range);
}
TEST(Cat, refuses_sizes_that_64_bits_do_not_hold) {
  const Tensor many = expand(scalar(1), {std::numeric_limits<std::int64_t>::max()});
  EXPECT_NE(error_of([&] { cat_of({many, many}); }), ErrorClass::none);
}
TEST(Cat, has_its_channels_last_where_all_tensors_have) {
  // [TensorShape.cpp, cat_compute_output_memory_format]
  EXPECT_EQ(strides(cat_of({channels_last({1, 3, 2, 2}), channels_last({1, 2, 2, 2})}, 1)), (Sizes{20, 1, 10, 5}));
}
TEST(Cat, is_row_major_where_one_tensor_is) {
  EXPECT_EQ(strides(cat_of({channels_last({1, 3, 2, 2}), counting({1, 2, 2, 2})}, 1)), (Sizes{20, 4, 2, 1}));
}

TEST(CatOut, gives_out_the_sizes_of_the_result) {  // GEO-72
  EXPECT_EQ(numbers(cat_into(vector({}), {vector({1}), vector({2})})), (Numbers{1, 2}));
}
TEST(CatOut, writes_into_an_out_of_whatever_strides) {  // GEO-59
  const Tensor out = t(counting({2, 2}));
  EXPECT_EQ(numbers(cat_into(out, {tensor({1, 2}, {5, 6}), tensor({1, 2}, {7, 8})})), (Numbers{5, 6, 7, 8}));
  EXPECT_EQ(strides(out), (Sizes{1, 2}));
}
TEST(CatOut, converts_to_the_dtype_of_out) {  // TYPE-73
  EXPECT_EQ(numbers(cat_into(vector({0, 0}), {vector({1}, Dtype::int64), vector({2}, Dtype::int32)})), (Numbers{1, 2}));
}
TEST(CatOut, refuses_a_dtype_to_which_the_results_cannot_be_cast) {  // TYPE-73
  EXPECT_EQ(error_of([] { cat_into(vector({}, Dtype::int64), {vector({1})}); }), ErrorClass::dtype_cast);
}
TEST(CatOut, refuses_an_out_that_it_reads) {  // GEO-74
  const Tensor out = vector({1});
  EXPECT_EQ(error_of([&] { cat_into(out, {vector({2}), out}); }), ErrorClass::overlap_partial);
}
TEST(CatOut, that_raises_has_not_resized_out) {  // GEO-75
  const Tensor out = vector({1});
  error_of([&] { cat_into(out, {vector({2}), out}); });
  EXPECT_EQ(sizes(out), Sizes{1});
}

TEST(Stack, makes_a_dimension_in_front) {
  const Tensor result = stack_of({vector({1, 2}), vector({3, 4})});
  EXPECT_EQ(sizes(result), (Sizes{2, 2}));
  EXPECT_EQ(numbers(result), (Numbers{1, 2, 3, 4}));
}
TEST(Stack, makes_a_dimension_at_the_end) {
  EXPECT_EQ(numbers(stack_of({vector({1, 2}), vector({3, 4})}, -1)), (Numbers{1, 3, 2, 4}));
}
TEST(Stack, makes_a_dimension_in_between) {
  EXPECT_EQ(numbers(stack_of({counting({2, 2}), counting({2, 2})}, 1)), (Numbers{0, 1, 0, 1, 2, 3, 2, 3}));
}
TEST(Stack, of_tensors_without_dimensions_is_a_vector) {
  EXPECT_EQ(numbers(stack_of({scalar(1), scalar(2)})), (Numbers{1, 2}));
}
TEST(Stack, of_empty_vectors_has_a_row_for_each) {
  EXPECT_EQ(sizes(stack_of({vector({}), vector({})})), (Sizes{2, 0}));
  EXPECT_EQ(sizes(stack_of({vector({}), vector({})}, 1)), (Sizes{0, 2}));
}
TEST(Stack, refuses_different_sizes) {
  EXPECT_EQ(error_of([] { stack_of({vector({1}), vector({1, 2})}); }), ErrorClass::shape);
}
TEST(Stack, refuses_an_empty_list) {
  EXPECT_EQ(error_of([] { stack_of({}); }), ErrorClass::range);
}
TEST(Stack, of_tensors_whose_channels_are_last_splits_what_cat_gives) {
  const Tensor result = stack_of({channels_last({2, 3, 2, 2}), channels_last({2, 3, 2, 2})}, 1);
  EXPECT_EQ(sizes(result), (Sizes{2, 2, 3, 2, 2}));
  EXPECT_EQ(strides(result), (Sizes{24, 3, 1, 12, 6}));
}

}  // namespace
}  // namespace plumbline::optimized::join_test
