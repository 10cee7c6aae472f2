// Products of matrices and vectors, of whatever sizes, strides and dtypes, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "optimized/tests/values.h"

namespace plumbline::optimized::matrix_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Small integers, so that every order of adding gives the same.
Tensor some(const Sizes& sizes, Dtype dtype) {
  Numbers all(static_cast<std::size_t>(numel_of(sizes)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>(i * 7 % 11) - 5;
  return tensor(sizes, all, dtype);
}
/// Row by column, one product at a time.
Numbers product(const Tensor& left, const Tensor& right) {
  const Numbers a = numbers(left);
  const Numbers b = numbers(right);
  const auto rows = static_cast<std::size_t>(left.size(0));
  const auto inner = static_cast<std::size_t>(left.size(1));
  const auto columns = static_cast<std::size_t>(right.size(1));
  Numbers out(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t p = 0; p < inner; ++p) out[i * columns + j] += a[i * inner + p] * b[p * columns + j];
  return out;
}

struct Shape {
  std::int64_t rows, inner, columns;
};
/// From those that are multiplied without a library to those that several threads share.
class Products : public ::testing::TestWithParam<Shape> {
 protected:
  void check(const Tensor& left, const Tensor& right) { EXPECT_EQ(numbers(mm(left, right)), product(left, right)); }
  const Shape& shape() const { return GetParam(); }
};

TEST_P(Products, of_row_major_matrices) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::int64, Dtype::int32})
    check(some({shape().rows, shape().inner}, dtype), some({shape().inner, shape().columns}, dtype));
}
TEST_P(Products, of_transposed_matrices) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::int64})
    check(t(some({shape().inner, shape().rows}, dtype)), t(some({shape().columns, shape().inner}, dtype)));
}
TEST_P(Products, of_matrices_whose_elements_stand_apart) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
    const Tensor left = slice(some({shape().rows, 2 * shape().inner}, dtype), 1, 0, 2 * shape().inner, 2);
    const Tensor right = slice(some({shape().inner, 3 * shape().columns}, dtype), 1, 0, 3 * shape().columns, 3);
    check(left, right);
  }
}
TEST_P(Products, of_repeated_rows) {
  check(expand(some({1, shape().inner}, Dtype::float32), {shape().rows, shape().inner}),
        expand(some({shape().inner, 1}, Dtype::float32), {shape().inner, shape().columns}));
}
TEST_P(Products, into_an_out_of_other_strides) {
  const Tensor left = some({shape().rows, shape().inner}, Dtype::float32);
  const Tensor right = some({shape().inner, shape().columns}, Dtype::float32);
  const Tensor transposed = t(empty_tensor({shape().columns, shape().rows}, Dtype::float32));
  EXPECT_EQ(numbers(mm_out(left, right, transposed)), product(left, right));
  const Tensor room = empty_tensor({shape().rows, 2 * shape().columns}, Dtype::float32);
  const Tensor apart = slice(room, 1, 0, 2 * shape().columns, 2);
  EXPECT_EQ(numbers(mm_out(left, right, apart)), product(left, right));
}
TEST_P(Products, with_something_added) {
  const Tensor left = some({shape().rows, shape().inner}, Dtype::float32);
  const Tensor right = some({shape().inner, shape().columns}, Dtype::float32);
  for (const Tensor& added : {some({shape().columns}, Dtype::float32), some({shape().rows, 1}, Dtype::float32),
                              t(some({shape().columns, shape().rows}, Dtype::float32)), scalar(3)}) {
    Numbers expected = product(left, right);
    const Numbers more = numbers(expand(added, {shape().rows, shape().columns}));
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * more[i] + 3 * expected[i];
    EXPECT_EQ(numbers(addmm(added, left, right, 2, 3)), expected);
  }
}
TEST_P(Products, of_a_matrix_and_a_vector) {
  const Tensor left = some({shape().rows, shape().inner}, Dtype::float32);
  const Tensor right = slice(some({2 * shape().inner}, Dtype::float32), 0, 0, 2 * shape().inner, 2);
  EXPECT_EQ(numbers(mv(left, right)), product(left, unsqueeze(right, 1)));
}
INSTANTIATE_TEST_SUITE_P(Of, Products,
                         ::testing::Values(Shape{1, 1, 1}, Shape{1, 8, 16}, Shape{8, 8, 16}, Shape{5, 16, 4},
                                           Shape{3, 5, 7}, Shape{16, 16, 16}, Shape{33, 3, 2}, Shape{17, 20, 19},
                                           Shape{1, 40, 30}, Shape{30, 40, 1}, Shape{200, 90, 70}, Shape{9, 400, 300},
                                           Shape{400, 300, 1}, Shape{2, 3, 0}, Shape{0, 3, 2}, Shape{2, 0, 3}),
                         [](const auto& info) {
                           return std::to_string(info.param.rows) + "x" + std::to_string(info.param.inner) + "x" +
                                  std::to_string(info.param.columns);
                         });

TEST(Mm, of_integers_wraps) {
  const Tensor large = tensor({1, 1}, {65536}, Dtype::int32);
  EXPECT_EQ(numbers(mm(large, large)), Numbers{0});
}
TEST(Mm, wants_one_dtype_also_where_there_is_nothing_to_multiply) {  // TYPE-33
  EXPECT_EQ(error_of([] { mm(tensor({0, 2}, {}), tensor({2, 0}, {}, Dtype::int64)); }), ErrorClass::dtype_mismatch);
}
TEST(Mm, of_bools_has_no_kernel) {
  EXPECT_EQ(error_of([] { mm(tensor({1, 1}, {1}, Dtype::boolean), tensor({1, 1}, {1}, Dtype::boolean)); }),
            ErrorClass::dtype_op);
}
TEST(Mm, of_bools_with_nothing_to_multiply_is_false) {
  EXPECT_EQ(numbers(mm(tensor({1, 0}, {}, Dtype::boolean), tensor({0, 2}, {}, Dtype::boolean))), (Numbers{0, 0}));
}
TEST(Mm, refuses_sizes_that_do_not_meet) {
  EXPECT_EQ(error_of([] { mm(counting({2, 3}), counting({2, 3})); }), ErrorClass::shape);
}
TEST(Mm, refuses_what_is_no_matrix) {
  EXPECT_EQ(error_of([] { mm(counting({3}), counting({3, 1})); }), ErrorClass::shape);
}
TEST(Mm, of_a_repeated_element_beyond_memory_is_an_error) {
  const std::int64_t many = std::int64_t{1} << 30;
  EXPECT_EQ(error_of([&] { mm(expand(counting({1, 1}), {many, 1}), expand(counting({1, 1}), {1, many})); }),
            ErrorClass::memory);
}

TEST(MmOut, wants_the_dtype_of_its_inputs) {  // TYPE-73
  EXPECT_EQ(error_of([] { mm_out(counting({1, 1}), counting({1, 1}), scalar(0, Dtype::float64)); }),
            ErrorClass::dtype_cast);
}
TEST(MmOut, refuses_an_out_that_it_reads) {  // GEO-74
  const Tensor self = counting({2, 2});
  EXPECT_EQ(error_of([&] { mm_out(self, counting({2, 2}), self); }), ErrorClass::overlap_partial);
}
TEST(MmOut, refuses_an_out_whose_new_sizes_would_reach_an_input) {  // GEO-74
  const Tensor memory = counting({8});
  const Tensor out = slice(memory, 0, 0, 1);
  EXPECT_EQ(error_of([&] { mm_out(view(slice(memory, 0, 2, 6), {2, 2}), counting({2, 2}), out); }),
            ErrorClass::overlap_partial);
  EXPECT_EQ(sizes(out), Sizes{1});  // GEO-75
}
TEST(MmOut, that_raises_has_written_nothing) {  // GEO-75
  const Tensor out = vector({7});
  error_of([&] { mm_out(tensor({1, 1}, {1}), tensor({1, 1}, {1}, Dtype::int64), out); });
  EXPECT_EQ(sizes(out), Sizes{1});
}

TEST(Addmm, with_a_beta_of_0_passes_over_self) {
  EXPECT_EQ(numbers(addmm(scalar(kNan), counting({1, 1}), counting({1, 1}), 0, 1)), Numbers{0});
}
TEST(Addmm, with_an_alpha_of_0_passes_over_the_product) {
  EXPECT_EQ(numbers(addmm(scalar(2), tensor({1, 1}, {kNan}), counting({1, 1}), 1, 0)), Numbers{2});
}
TEST(Addmm, of_nothing_to_multiply_is_beta_times_self) {
  EXPECT_EQ(numbers(addmm(vector({2, 3}), tensor({1, 0}, {}), tensor({0, 2}, {}), 2, 1)), (Numbers{4, 6}));
}
TEST(Addmm, of_integers_by_a_fraction_is_refused_where_there_is_nothing_to_multiply) {
  const Tensor self = vector({2}, Dtype::int64);
  EXPECT_EQ(error_of([&] { addmm(self, tensor({1, 0}, {}, Dtype::int64), tensor({0, 1}, {}, Dtype::int64), 0.5, 1); }),
            ErrorClass::dtype_cast);
}
TEST(Addmm, refuses_a_self_that_does_not_expand) {
  EXPECT_EQ(error_of([] { addmm(vector({1, 2}), counting({3, 1}), counting({1, 3})); }), ErrorClass::shape);
}
TEST(Addmm, wants_one_dtype) {
  EXPECT_EQ(error_of([] { addmm(scalar(1, Dtype::int64), counting({1, 1}), counting({1, 1})); }),
            ErrorClass::dtype_mismatch);
}

TEST(Bmm, multiplies_one_by_one) {
  const Tensor left = some({3, 2, 4}, Dtype::float32);
  const Tensor right = transpose(some({3, 5, 4}, Dtype::float32), 1, 2);
  Numbers expected;
  for (std::int64_t i = 0; i < 3; ++i) {
    const Numbers one = product(select(left, 0, i), select(right, 0, i));
    expected.insert(expected.end(), one.begin(), one.end());
  }
  EXPECT_EQ(numbers(bmm(left, right)), expected);
}
TEST(Bmm, of_nothing_has_the_dtype_of_the_second) {
  EXPECT_EQ(bmm(tensor({1, 2, 0}, {}), tensor({1, 0, 2}, {}, Dtype::int64)).dtype(), Dtype::int64);
}
TEST(Bmm, refuses_stacks_of_different_heights) {
  EXPECT_EQ(error_of([] { bmm(counting({2, 1, 1}), counting({3, 1, 1})); }), ErrorClass::shape);
}
TEST(BmmOut, refuses_an_out_that_overlaps_itself) {  // GEO-74
  const Tensor out = expand(scalar(0), {1, 2, 2});
  EXPECT_EQ(error_of([&] { bmm_out(counting({1, 2, 2}), counting({1, 2, 2}), out); }), ErrorClass::overlap_internal);
}

TEST(Mv, of_a_tensor_without_dimensions_is_refused) {
  EXPECT_EQ(error_of([] { mv(scalar(1), vector({1})); }), ErrorClass::dim_range);
}
TEST(Dot, adds_the_products) { EXPECT_EQ(numbers(dot(vector({1, 2, 3}), vector({4, 5, 6}))), Numbers{32}); }
TEST(Dot, of_many_loses_little) {
  const Tensor many = expand(scalar(0.1), {1000000});
  const double tenth = 0.1F;
  EXPECT_NEAR(numbers(dot(many, many))[0], 1000000 * tenth * tenth, 0.01);
}
TEST(Dot, of_nothing_is_0) { EXPECT_EQ(numbers(dot(vector({}), vector({}))), Numbers{0}); }
TEST(Dot, wants_one_length) {
  EXPECT_EQ(error_of([] { dot(vector({1}), vector({1, 2})); }), ErrorClass::shape);
}

}  // namespace
}  // namespace plumbline::optimized::matrix_test
