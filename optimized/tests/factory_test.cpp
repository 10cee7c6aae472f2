// Factories: what they fill in, which dtype they choose, and what cannot be had.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "optimized/ops/random.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::factory_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): what these tests are written in

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kHuge = std::int64_t{1} << 62;

TEST(Factory, zeros_are_float32_unless_said) { EXPECT_EQ(zeros({1}).dtype(), Dtype::float32); }
TEST(Factory, ones_are_1) { EXPECT_EQ(numbers(ones({2, 2}, Dtype::boolean)), (Numbers{1, 1, 1, 1})); }
TEST(Factory, full_takes_the_dtype_of_its_number) { EXPECT_EQ(full({1}, 7).dtype(), Dtype::int64); }
TEST(Factory, full_of_a_bool_is_of_bools) { EXPECT_EQ(full({1}, true).dtype(), Dtype::boolean); }
TEST(Factory, no_tensor_of_8_or_16_bits_but_bool_can_be_had) {
  for (const Dtype lacked : {Dtype::uint8, Dtype::int8, Dtype::int16, Dtype::float16, Dtype::bfloat16}) {
    const Tensor x = ones({2, 8});
    EXPECT_EQ(error_of([&] { zeros({2}, lacked); }), ErrorClass::dtype_op);
    EXPECT_EQ(error_of([&] { zeros({}, lacked); }), ErrorClass::dtype_op);
    EXPECT_EQ(error_of([&] { arange(3, lacked); }), ErrorClass::dtype_op);
    EXPECT_EQ(error_of([&] { zeros_like(x, lacked); }), ErrorClass::dtype_op);
    EXPECT_EQ(error_of([&] { to(x, lacked); }), ErrorClass::dtype_op);
    EXPECT_EQ(error_of([&] { view(x, lacked); }), ErrorClass::dtype_op);
    EXPECT_EQ(error_of([&] { sum(x, lacked); }), ErrorClass::dtype_op);
  }
}
TEST(Factory, full_refuses_a_number_beyond_the_dtype) {
  EXPECT_EQ(error_of([] { full({1}, 1e10, Dtype::int32); }), ErrorClass::number_cast);
}
TEST(Factory, a_negative_size_is_refused_before_the_number) {
  EXPECT_EQ(error_of([] { full({-1}, 1e10, Dtype::int32); }), ErrorClass::range);
}
TEST(Factory, sizes_beyond_64_bits_are_refused) {
  EXPECT_EQ(error_of([] { zeros({kHuge, kHuge}); }), ErrorClass::range);
}
TEST(Factory, strides_beyond_64_bits_are_refused_where_there_are_no_elements) {
  EXPECT_EQ(error_of([] { zeros({0, kHuge, kHuge}); }), ErrorClass::range);
}
TEST(Factory, more_memory_than_there_is_is_refused) {
  EXPECT_EQ(error_of([] { empty({kHuge / 16}); }), ErrorClass::memory);
}
TEST(Factory, empty_takes_a_memory_format) {
  EXPECT_EQ(strides(empty({2, 3, 4, 5}, {}, {}, {}, {}, 2)), (Sizes{60, 1, 15, 3}));
}
TEST(Factory, there_is_no_layout_to_preserve) {
  EXPECT_EQ(error_of([] { empty({2}, {}, {}, {}, {}, 1); }), ErrorClass::option);
}
TEST(Factory, a_negative_size_is_refused_before_a_memory_format) {
  EXPECT_EQ(error_of([] { empty({-1}, {}, {}, {}, {}, 1); }), error_of([] { empty({-1}); }));
}
TEST(Factory, pinned_memory_cannot_be_had) {
  EXPECT_EQ(error_of([] { zeros({2}, {}, {}, {}, true); }), ErrorClass::option);
}
TEST(Factory, another_device_cannot_be_had) {
  EXPECT_EQ(error_of([] { zeros({2}, {}, {}, 1, {}); }), ErrorClass::option);
}
TEST(Like, has_the_strides_of_clone) {  // GEO-50
  EXPECT_EQ(strides(ones_like(alias_of(counting({6}), {3, 2}, {1, 3}, 0))), (Sizes{1, 3}));
}
TEST(Like, has_the_dtype_of_the_other) { EXPECT_EQ(zeros_like(vector({1}, Dtype::int32)).dtype(), Dtype::int32); }
TEST(Like, takes_a_dtype) { EXPECT_EQ(full_like(vector({1}), 2, Dtype::int64).dtype(), Dtype::int64); }
TEST(Like, new_full_has_its_own_sizes) { EXPECT_EQ(numbers(new_full(vector({1}), {2}, 5)), (Numbers{5, 5})); }

TEST(Arange, counts_in_int64) { EXPECT_EQ(numbers(arange(3)), (Numbers{0, 1, 2})); }
TEST(Arange, of_integers_is_int64) { EXPECT_EQ(arange(3).dtype(), Dtype::int64); }
TEST(Arange, of_a_float_is_float32) { EXPECT_EQ(arange(2.5).dtype(), Dtype::float32); }
TEST(Arange, stops_before_its_end) { EXPECT_EQ(numbers(arange(0.5, 3.0)), (Numbers{0.5, 1.5, 2.5})); }
TEST(Arange, of_int64_truncates_its_ends) { EXPECT_EQ(numbers(arange(-0.5, 3.75, Dtype::int64)), (Numbers{0, 1, 2})); }
TEST(Arange, of_int32_truncates_its_start_alone) {
  EXPECT_EQ(numbers(arange(0.5, 3.75, Dtype::int32)), (Numbers{0, 1, 2, 3}));
}
TEST(Arange, backwards_is_refused) {
  EXPECT_EQ(error_of([] { arange(5, 2); }), ErrorClass::range);
}
TEST(Arange, to_infinity_is_refused) {
  EXPECT_EQ(error_of([] { arange(kInfinity); }), ErrorClass::range);
}
TEST(Arange, of_more_than_64_bits_count_is_refused) {
  EXPECT_EQ(error_of([] { arange(-kHuge - kHuge, kHuge); }), ErrorClass::range);
}
TEST(Arange, of_bools_is_refused) {
  EXPECT_EQ(error_of([] { arange(2, Dtype::boolean); }), ErrorClass::dtype_op);
}

TEST(Rand, a_float32_is_24_bits_of_one_draw) {  // RAND-52
  std::mt19937 engine(5);
  manual_seed(5);
  EXPECT_EQ(numbers(rand({1})), Numbers{std::ldexp(static_cast<double>(engine() & 0xffffffU), -24)});
}
TEST(Rand, a_float64_is_53_bits_of_two_draws) {  // RAND-52
  std::mt19937 engine(5);
  const std::uint64_t high = engine();
  const std::uint64_t both = high << 32 | engine();
  manual_seed(5);
  EXPECT_EQ(numbers(rand({1}, Dtype::float64)),
            Numbers{std::ldexp(static_cast<double>(both & ((std::uint64_t{1} << 53) - 1)), -53)});
}
TEST(Rand, goes_on_from_call_to_call) {  // RAND-52
  manual_seed(1);
  const Numbers both = numbers(rand({2}));
  manual_seed(1);
  const Tensor first = rand({1});
  EXPECT_EQ(numbers(rand({1}))[0], both[1]);
}
TEST(Rand, takes_32_bits_of_a_seed) {
  manual_seed((std::uint64_t{1} << 32) + 5);
  const Numbers of_long = numbers(rand({2}));
  manual_seed(5);
  EXPECT_EQ(numbers(rand({2})), of_long);
}
TEST(Rand, of_integers_is_refused) {
  EXPECT_EQ(error_of([] { rand({2}, Dtype::int64); }), ErrorClass::dtype_op);
}

}  // namespace
}  // namespace plumbline::optimized::factory_test
