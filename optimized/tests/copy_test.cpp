// copy_, clone, _to_copy, fill_ and zero_: what they write, convert and lay out.
#include <gtest/gtest.h>

#include <limits>

#include "optimized/tests/values.h"

namespace plumbline::optimized::copy_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

constexpr Enumerated kPreserve = 1, kChannelsLast = 2;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor as(const Tensor& self, Dtype dtype, std::optional<bool> pin_memory = {}) {
  return call<op::_to_copy>(self, std::optional(dtype), std::optional<Enumerated>(), std::optional<Enumerated>(),
                            pin_memory, false, std::optional<Enumerated>());
}

TEST(Copy, broadcasts_its_source) {
  const Tensor self = zeros({2, 2});
  copy_(self, vector({1, 2}));
  EXPECT_EQ(numbers(self), (Numbers{1, 2, 1, 2}));
}
TEST(Copy, does_not_stretch_its_destination) {
  EXPECT_EQ(error_of([] { copy_(zeros({2}), zeros({2, 2})); }), ErrorClass::shape);
}
TEST(Copy, converts) {
  const Tensor self = vector({0, 0}, Dtype::int32);
  copy_(self, vector({1.75, -1.75}));
  EXPECT_EQ(numbers(self), (Numbers{1, -1}));
}
TEST(Copy, of_floats_beyond_an_integer_is_the_least) {
  EXPECT_EQ(numbers(as(vector({1e20, kNan}), Dtype::int32)), (Numbers{-2147483648.0, -2147483648.0}));
}
TEST(Copy, of_not_a_number_is_true) { EXPECT_EQ(numbers(as(vector({kNan, 0}), Dtype::boolean)), (Numbers{1, 0})); }
TEST(Copy, of_odd_bools_makes_them_1) {
  const Tensor odd = empty_tensor({1}, Dtype::boolean);
  *reinterpret_cast<unsigned char*>(odd.data<bool>()) = 6;
  EXPECT_EQ(*reinterpret_cast<unsigned char*>(clone(odd).data<bool>()), 1);
}
TEST(Copy, onto_the_very_same_elements_is_no_error_where_they_overlap) {  // GEO-28
  const Tensor one = vector({3});
  const Tensor repeated = alias_of(one, {2}, {0}, 0);
  EXPECT_EQ(error_of([&] { copy_(repeated, alias_of(one, {2}, {0}, 0)); }), ErrorClass::none);
}
TEST(Copy, onto_a_repeated_tensor_is_refused) {  // GEO-19
  EXPECT_EQ(error_of([] { copy_(alias_of(vector({3}), {2}, {0}, 0), vector({1, 2})); }), ErrorClass::overlap_internal);
}
TEST(Copy, of_a_partial_overlap_is_refused) {  // GEO-20
  const Tensor all = counting({4});
  EXPECT_EQ(error_of([&] { copy_(alias_of(all, {3}, {1}, 1), alias_of(all, {3}, {1}, 0)); }),
            ErrorClass::overlap_partial);
}
TEST(Copy, of_many_elements_copies_each) {
  const Tensor from = counting({1 << 20});
  const Tensor to = zeros({1 << 20});
  copy_(to, from);
  EXPECT_EQ(numbers(to), numbers(from));
}
TEST(Clone, keeps_dense_strides) {  // GEO-23
  EXPECT_EQ(strides(clone(alias_of(counting({6}), {3, 2}, {1, 3}, 0))), (Sizes{1, 3}));
}
TEST(Clone, keeps_the_strides_of_sizes_of_1) {  // GEO-23
  EXPECT_EQ(strides(clone(alias_of(counting({6}), {1, 3}, {7, 1}, 0))), (Sizes{7, 1}));
}
TEST(Clone, closes_gaps_in_the_order_of_the_strides) {
  EXPECT_EQ(strides(clone(alias_of(counting({12}), {3, 2}, {2, 6}, 0))), (Sizes{1, 3}));
}
TEST(Clone, has_memory_of_its_own) {  // GEO-26
  const Tensor self = vector({1, 2});
  EXPECT_NE(clone(self).storage(), self.storage());
}
TEST(Clone, takes_a_memory_format) { EXPECT_EQ(strides(clone(zeros({2, 3, 4, 5}), 2)), (Sizes{60, 1, 15, 3})); }
TEST(Clone, refuses_a_memory_format_of_another_rank) {
  EXPECT_EQ(error_of([] { clone(zeros({2}), 2); }), ErrorClass::option);
}

TEST(Contiguous, with_the_channels_last_is_another_order) {
  const Tensor rows = counting({2, 3, 4, 5});
  const Tensor channels = contiguous(rows, kChannelsLast);
  EXPECT_EQ(strides(channels), (Sizes{60, 1, 15, 3}));
  EXPECT_EQ(numbers(channels), numbers(rows));
  EXPECT_TRUE(contiguous(channels, kChannelsLast).is_same(channels));
  EXPECT_EQ(strides(contiguous(channels)), strides(rows));
  EXPECT_EQ(error_of([] { contiguous(zeros({2, 3}), kChannelsLast); }), ErrorClass::option);
}
TEST(Contiguous, preserves_what_is_contiguous_and_refuses_the_rest) {
  const Tensor rows = counting({2, 3});
  EXPECT_TRUE(contiguous(rows, kPreserve).is_same(rows));
  EXPECT_EQ(error_of([&] { contiguous(t(rows), kPreserve); }), ErrorClass::option);
}
TEST(To, of_its_own_dtype_is_the_tensor_unless_its_strides_suggest_another_format) {
  const Tensor rows = counting({2, 3, 4, 5}), column = counting({4, 1, 1, 1});
  EXPECT_TRUE(to(rows, Dtype::float32).is_same(rows));
  EXPECT_TRUE(to(rows, Dtype::float32, false, false, kPreserve).is_same(rows));
  EXPECT_EQ(strides(to(rows, Dtype::float32, false, false, kChannelsLast)), (Sizes{60, 1, 15, 3}));
  const Tensor channels = clone(rows, kChannelsLast);
  EXPECT_TRUE(to(channels, Dtype::float32, false, false, kChannelsLast).is_same(channels));
  EXPECT_FALSE(to(channels, Dtype::float32, false, false, 0).is_same(channels));
  EXPECT_FALSE(to(column, Dtype::float32, false, false, kChannelsLast).is_same(column)) << "row-major, if in doubt";
  EXPECT_EQ(error_of([] { to(zeros({2}), Dtype::float32, false, false, kChannelsLast); }), ErrorClass::option);
}
TEST(ToCopy, is_never_pinned) { EXPECT_EQ(numbers(as(vector({1, 2}), Dtype::float32, true)), (Numbers{1, 2})); }
TEST(Fill, fills) {
  const Tensor self = zeros({3}, Dtype::int64);
  fill_(self, 7);
  EXPECT_EQ(numbers(self), (Numbers{7, 7, 7}));
}
TEST(Fill, leaves_the_gaps) {
  const Tensor all = zeros({6});
  fill_(alias_of(all, {3}, {2}, 0), 1);
  EXPECT_EQ(numbers(all), (Numbers{1, 0, 1, 0, 1, 0}));
}
TEST(Fill, may_write_overlapping_memory) {  // GEO-21
  const Tensor repeated = alias_of(vector({1}), {2}, {0}, 0);
  zero_(repeated);
  EXPECT_EQ(numbers(repeated), (Numbers{0, 0}));
}
TEST(Fill, refuses_a_number_beyond_the_dtype) {
  EXPECT_EQ(error_of([] { fill_(zeros({2}), 1e39); }), ErrorClass::number_cast);
}
TEST(Fill, refuses_it_for_no_elements_too) {
  EXPECT_EQ(error_of([] { fill_(zeros({0}, Dtype::int32), std::int64_t{1} << 31); }), ErrorClass::number_cast);
}

}  // namespace
}  // namespace plumbline::optimized::copy_test
