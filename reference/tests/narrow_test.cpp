// The dtypes of 8 and 16 bits: promotion as measured from PyTorch, wrapping, rounding, conversion and bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/arithmetic.h"
#include "reference/bytes.h"
#include "reference/machine.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_value.h"
#include "spec/vocabulary/half.h"

namespace plumbline::reference::narrow_test {
namespace {

using enum Dtype;

constexpr std::size_t kDtypes = kDtypeNames.size();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// torch.promote_types of each two dtypes, in the order of Dtype; measured with PyTorch 2.13.
constexpr std::array<std::array<Dtype, kDtypes>, kDtypes> kPromoted{{
    {float32, float64, float32, float32, float32, float32, float32, float32, float32, float32, complex64, complex128},
    {float64, float64, float64, float64, float64, float64, float64, float64, float64, float64, complex128, complex128},
    {float32, float64, int64, int64, int64, int64, int64, int64, float16, bfloat16, complex64, complex128},
    {float32, float64, int64, int32, int32, int32, int32, int32, float16, bfloat16, complex64, complex128},
    {float32, float64, int64, int32, boolean, uint8, int8, int16, float16, bfloat16, complex64, complex128},
    {float32, float64, int64, int32, uint8, uint8, int16, int16, float16, bfloat16, complex64, complex128},
    {float32, float64, int64, int32, int8, int16, int8, int16, float16, bfloat16, complex64, complex128},
    {float32, float64, int64, int32, int16, int16, int16, int16, float16, bfloat16, complex64, complex128},
    {float32, float64, float16, float16, float16, float16, float16, float16, float16, float32, complex64, complex128},
    {float32, float64, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, float32, bfloat16, complex64,
     complex128},
    {complex64, complex128, complex64, complex64, complex64, complex64, complex64, complex64, complex64, complex64,
     complex64, complex128},
    {complex128, complex128, complex128, complex128, complex128, complex128, complex128, complex128, complex128,
     complex128, complex128, complex128},
}};

/// torch.result_type of a tensor with dimensions and one without; measured with PyTorch 2.13. Of a float16 and complex
/// numbers it is a complex32, which programs do not have: `common_type` refuses them.
constexpr std::array<std::array<Dtype, kDtypes>, kDtypes> kWithScalar{{
    {float32, float32, float32, float32, float32, float32, float32, float32, float32, float32, complex64, complex64},
    {float64, float64, float64, float64, float64, float64, float64, float64, float64, float64, complex128, complex128},
    {float32, float64, int64, int64, int64, int64, int64, int64, float16, bfloat16, complex64, complex128},
    {float32, float64, int32, int32, int32, int32, int32, int32, float16, bfloat16, complex64, complex128},
    {float32, float64, int64, int32, boolean, uint8, int8, int16, float16, bfloat16, complex64, complex128},
    {float32, float64, uint8, uint8, uint8, uint8, uint8, uint8, float16, bfloat16, complex64, complex128},
    {float32, float64, int8, int8, int8, int8, int8, int8, float16, bfloat16, complex64, complex128},
    {float32, float64, int16, int16, int16, int16, int16, int16, float16, bfloat16, complex64, complex128},
    {float16, float16, float16, float16, float16, float16, float16, float16, float16, float16, complex64, complex64},
    {bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, complex64,
     complex64},
    {complex64, complex64, complex64, complex64, complex64, complex64, complex64, complex64, complex64, complex64,
     complex64, complex64},
    {complex128, complex128, complex128, complex128, complex128, complex128, complex128, complex128, complex128,
     complex128, complex128, complex128},
}};

Dtype at(std::size_t i) { return static_cast<Dtype>(i); }
Element real(double value, double error = 0) { return Element{.real = value, .error = error}; }
Element integer(std::int64_t value) { return Element{.integer = value}; }
double as(double value, Dtype dtype) { return converted(real(value), float64, dtype).real; }

TEST(Narrow, each_two_dtypes_promote_as_in_pytorch) {
  for (std::size_t a = 0; a < kDtypes; ++a)
    for (std::size_t b = 0; b < kDtypes; ++b)
      EXPECT_EQ(static_cast<Dtype>(promoted<Concrete>(Judge{}, at(a), at(b)).v), kPromoted.at(a).at(b))
          << name_of(at(a)) << " and " << name_of(at(b));
}

TEST(Narrow, a_dtype_without_dimensions_only_raises_the_kind_TYPE_40) {
  for (std::size_t a = 0; a < kDtypes; ++a)
    for (std::size_t b = 0; b < kDtypes; ++b) {
      const RankedDtypes<Concrete> ranks{Choice<Concrete, Dtype>(at(a)), Choice<Concrete, Dtype>(at(b)), std::nullopt};
      EXPECT_EQ(static_cast<Dtype>(result_type<Concrete>(Judge{}, ranks).v), kWithScalar.at(a).at(b))
          << name_of(at(a)) << " with dimensions and " << name_of(at(b));
    }
}

TEST(Narrow, integers_wrap) {
  EXPECT_EQ(Arithmetic(uint8).add(integer(255), integer(1)).integer, 0);
  EXPECT_EQ(Arithmetic(uint8).subtract(integer(0), integer(1)).integer, 255);
  EXPECT_EQ(Arithmetic(uint8).apply(UnaryFunction::negate, integer(1)).integer, 255);
  EXPECT_EQ(Arithmetic(uint8).multiply(integer(16), integer(17)).integer, 16);
  EXPECT_EQ(Arithmetic(int8).add(integer(127), integer(1)).integer, -128);
  EXPECT_EQ(Arithmetic(int8).apply(UnaryFunction::negate, integer(-128)).integer, -128);
  EXPECT_EQ(Arithmetic(int16).multiply(integer(256), integer(128)).integer, -32768);
  EXPECT_EQ(converted(integer(300), int64, uint8).integer, 44);
  EXPECT_EQ(converted(integer(-1), int8, uint8).integer, 255);
  EXPECT_EQ(converted(integer(255), uint8, int8).integer, -1);
}

TEST(Narrow, a_float_is_truncated_if_the_integer_holds_it) {
  EXPECT_EQ(converted(real(255.9), float32, uint8).integer, 255);
  EXPECT_EQ(converted(real(-0.5), float32, uint8).integer, 0);
  EXPECT_EQ(converted(real(-128.9), float64, int8).integer, -128);
  EXPECT_TRUE(converted(real(-128.9), float64, int8).known);
  for (const double beyond : {-1.0, 256.0, kInfinity, std::nan("")})
    EXPECT_FALSE(converted(real(beyond), float32, uint8).known) << beyond;
  EXPECT_FALSE(converted(real(128), float32, int8).known);
  EXPECT_FALSE(converted(real(-32769), float32, int16).known);
}

/// The numbers were converted with PyTorch 2.13.
TEST(Narrow, halves_round_to_the_nearest_and_from_the_middle_to_even) {
  EXPECT_EQ(as(0.1, float16), 0.0999755859375);
  EXPECT_EQ(as(0.1, bfloat16), 0.10009765625);
  EXPECT_EQ(as(2049, float16), 2048);
  EXPECT_EQ(as(2051, float16), 2052);
  EXPECT_EQ(as(257, bfloat16), 256);
  EXPECT_EQ(as(259, bfloat16), 260);
  EXPECT_EQ(as(65519.9, float16), 65504);
  EXPECT_EQ(as(65520, float16), kInfinity);
  EXPECT_EQ(as(-1e39, bfloat16), -kInfinity);
  EXPECT_EQ(as(0x1p-24, float16), 0x1p-24);
  EXPECT_EQ(as(0x1p-25, float16), 0) << "in the middle, so the even one";
  EXPECT_EQ(as(0x1.8p-25, float16), 0x1p-24);
  EXPECT_TRUE(std::signbit(as(-0.0, bfloat16)));
}

TEST(Narrow, a_double_is_rounded_to_float32_before_a_half) {
  const double above_the_middle = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(as(above_the_middle, float16), 1) << "float32 holds only the middle";
}

TEST(Narrow, every_half_keeps_its_bits) {
  for (const Dtype half : {float16, bfloat16})
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const double value = half_of_bits(static_cast<std::uint16_t>(bits), half);
      if (std::isnan(value)) continue;  // PyTorch has many of them, this machine one
      ASSERT_EQ(bits_of_half(value, half), bits) << name_of(half);
      ASSERT_EQ(as(value, half), value) << name_of(half);
    }
}

TEST(Narrow, a_rounded_half_is_bounded_by_a_unit_in_its_last_place) {
  const Element third = Arithmetic(float16).divide(real(1), real(3));
  EXPECT_EQ(third.real, 0.333251953125);
  EXPECT_EQ(third.error, 0x1p-12);
  EXPECT_EQ(Arithmetic(bfloat16).divide(real(1), real(3)).error, 0x1p-9);
  EXPECT_EQ(Arithmetic(bfloat16).multiply(real(3), real(5)).error, 0);
}

TEST(Narrow, the_sum_of_halves_is_exact_up_to_their_digits) {
  const std::vector<Element> few(4, real(64));
  EXPECT_EQ(Arithmetic(bfloat16).sum(few).real, 256);
  EXPECT_EQ(Arithmetic(bfloat16).sum(few).error, 0);
  const std::vector<Element> many(5, real(51));
  EXPECT_EQ(Arithmetic(bfloat16).sum(many).real, 255);
  const std::vector<Element> beyond(2, real(255));
  EXPECT_GT(Arithmetic(bfloat16).sum(beyond).error, 0);
  const std::vector<Element> great(2, real(60000));
  EXPECT_FALSE(Arithmetic(float16).sum(great).known) << "a sum in float32 does not overflow where one of halves does";
}

TEST(Narrow, bytes_are_those_of_memory) {
  const std::vector<Byte> one = bytes_of(real(1), float16);
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one[1].value, 0x3c);
  EXPECT_EQ(element_from(one, int16).integer, 0x3c00);
  EXPECT_EQ(element_from(one, bfloat16).real, 0x1p-7);
  EXPECT_EQ(element_from({{0xff, true}}, int8).integer, -1);
  EXPECT_EQ(element_from({{0xff, true}}, uint8).integer, 255);
}

/// The message of a number that a dtype does not hold, as PyTorch 2.13 gives it; nothing if it does.
std::string filled_with(Dtype dtype, const Value& number) {
  const Judge judge;
  State state = initial_state(judge);
  (void)step(judge, state, {MakeTensor{Slot{0}, dtype, {1}, {1}, false}});
  const Outcome outcome = step(judge, state, {Call{OpId::fill__Scalar, {Slot{0}, number}, {}, false}});
  return outcome.failure.message;
}

TEST(Narrow, a_number_that_a_dtype_does_not_hold_is_refused) {
  const auto refused = [](std::string_view type) {
    return "value cannot be converted to type " + std::string(type) + " without overflow";
  };
  EXPECT_EQ(filled_with(uint8, std::int64_t{256}), refused("uint8_t"));
  EXPECT_EQ(filled_with(uint8, std::int64_t{-256}), refused("uint8_t"));
  EXPECT_EQ(filled_with(uint8, std::int64_t{-255}), "") << "a negative integer wraps";
  EXPECT_EQ(filled_with(uint8, -0.5), refused("uint8_t"));
  EXPECT_EQ(filled_with(int8, std::int64_t{128}), refused("int8_t"));
  EXPECT_EQ(filled_with(int8, -1.5), "");
  EXPECT_EQ(filled_with(int16, std::int64_t{32768}), refused("int16_t"));
  EXPECT_EQ(filled_with(float16, std::int64_t{65505}), refused("c10::Half"));
  EXPECT_EQ(filled_with(float16, kInfinity), "");
  EXPECT_EQ(filled_with(bfloat16, 3.395e38), refused("c10::BFloat16"));
}

/// A number is a tensor without dimensions: mul and div of halves read it as float32, add as a half.
TEST(Narrow, mul_and_div_read_one_element_before_it_is_rounded) {
  const auto of = [](OpId op, std::vector<Value> arguments) {
    const Judge judge;
    State state = initial_state(judge);
    (void)step(judge, state, {MakeTensor{Slot{0}, float16, {1}, {3}, false}});
    (void)step(judge, state, {Call{op, std::move(arguments), {Slot{1}}, false}});
    return std::get<Values>(step(judge, state, {Read{Slot{1}, Field::values}}).reading).floats.at(0);
  };
  EXPECT_EQ(of(OpId::mul_Tensor, {Slot{0}, 0.1}), as(0.3, float16));
  EXPECT_EQ(of(OpId::add_Tensor, {Slot{0}, 0.1, std::int64_t{1}}), as(3 + as(0.1, float16), float16));
}

}  // namespace
}  // namespace plumbline::reference::narrow_test
