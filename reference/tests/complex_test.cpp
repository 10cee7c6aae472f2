// Complex numbers: arithmetic by parts, conversion, bytes, and the bits Conjugate and Negative.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/bits.h"
#include "reference/complex_arithmetic.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference::complex_test {
namespace {

using enum Dtype;

Element number(double real, double imag, double error = 0) { return {.real = real, .error = error, .imag = imag}; }
void expect(const Element& element, double real, double imag) {
  EXPECT_TRUE(element.known);
  EXPECT_EQ(element.real, real);
  EXPECT_EQ(element.imag, imag);
}

TEST(Complex, products_and_sums_go_by_parts) {
  const Arithmetic in(complex64);
  expect(in.multiply(number(1, 2), number(3, -1)), 5, 5);
  expect(in.add(number(1, 2), number(3, -1)), 4, 1);
  expect(in.subtract(number(1, 2), number(3, -1)), -2, 3);
  expect(in.sum(std::array{number(1, 2), number(3, -1), number(0, 1)}), 4, 2);
}

TEST(Complex, a_quotient_is_near_and_unknown_beyond_moderate_numbers) {
  const Element quotient = Arithmetic(complex128).divide(number(5, 5), number(3, -1));
  EXPECT_NEAR(quotient.real, 1, quotient.error);
  EXPECT_NEAR(quotient.imag, 2, quotient.error);
  EXPECT_LT(quotient.error, 1e-13);
  EXPECT_FALSE(Arithmetic(complex64).divide(number(1, 0), number(0, 0)).known);
  EXPECT_FALSE(Arithmetic(complex64).divide(number(1e30, 0), number(1, 0)).known);
  EXPECT_FALSE(Arithmetic(complex64).divide(number(1, 0), number(1, 0, 2)).known);
}

TEST(Complex, both_parts_decide_equality) {
  const Arithmetic in(complex64);
  EXPECT_EQ(in.equal(number(1, 2), number(1, 2)), true);
  EXPECT_EQ(in.equal(number(1, 2), number(1, -2)), false);
  EXPECT_EQ(in.equal(number(1, 2, 0.5), number(1, 2)), std::nullopt);
  EXPECT_EQ(in.equal(number(1, 2, 0.5), number(9, 2)), false);
}

TEST(Complex, a_conversion_drops_or_adds_the_imaginary_part) {
  EXPECT_EQ(converted(number(1.5, 2), complex64, float64).real, 1.5);
  EXPECT_EQ(converted(number(1.5, 2), complex64, int32).integer, 1);
  EXPECT_EQ(converted(number(0, 2), complex64, boolean).integer, 1);
  EXPECT_EQ(converted(number(0, 0), complex64, boolean).integer, 0);
  EXPECT_FALSE(converted(number(0, 2, 3), complex64, boolean).known);
  expect(converted(Element{.integer = 3}, int64, complex64), 3, 0);
  const Element narrow = converted(number(0.1, 0.1), complex128, complex64);
  EXPECT_EQ(narrow.imag, static_cast<double>(0.1F));
}

TEST(Complex, the_bytes_are_those_of_the_parts) {
  const std::vector<Byte> bytes = bytes_of(number(1, -2), complex128);
  ASSERT_EQ(bytes.size(), 16U);
  EXPECT_EQ(element_from({bytes.begin() + 8, bytes.end()}, float64).real, -2);
  expect(element_from(bytes, complex128), 1, -2);
  EXPECT_FALSE(bytes_of(number(1, NAN), complex64)[7].known);
  EXPECT_TRUE(bytes_of(number(1, NAN), complex64)[0].known);
}

/// A tensor of these elements.
State made(Dtype dtype, std::vector<Element> elements) {
  State state;
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.geometry = geometry_of({static_cast<std::int64_t>(elements.size())}, {1});
  tensor.storage = 0;
  state.storages.push_back({std::move(elements), dtype});
  state.tensors.push_back(tensor);
  return state;
}

TEST(Complex, a_view_of_parts_keeps_bounds_both_ways) {
  State state = made(complex64, {number(1, 2, 0.5)});
  Tensor parts = state.tensors[0];
  parts.dtype = float32;
  parts.geometry = geometry_of({2}, {1});
  EXPECT_EQ(elements_of(state, parts)[1].real, 2);
  EXPECT_EQ(elements_of(state, parts)[1].error, 0.5);
  write_elements(state, parts, {Element{.real = 7}, Element{.real = 8}});
  expect(elements_of(state, state.tensors[0])[0], 7, 8);

  State halves = made(float32, {Element{.real = 1}, Element{.real = 2, .error = 0.25}});
  Tensor whole = halves.tensors[0];
  whole.dtype = complex64;
  whole.geometry = geometry_of({1}, {1});
  EXPECT_EQ(elements_of(halves, whole)[0].error, 0.25);
  write_elements(halves, whole, {number(3, 4)});
  EXPECT_EQ(elements_of(halves, halves.tensors[0])[1].real, 4);
}

TEST(Complex, bits_change_what_memory_shows_and_what_is_written) {
  State state = made(complex64, {number(1, 2)});
  Tensor conjugate = state.tensors[0];
  conjugate.meta.keys = conjugate.meta.keys | Functionality::Conjugate;
  expect(elements_of(state, conjugate)[0], 1, -2);
  write_elements(state, conjugate, {number(5, 6)});
  expect(elements_of(state, state.tensors[0])[0], 5, -6);
  Tensor negative = conjugate;
  negative.meta.keys = negative.meta.keys | Functionality::Negative;
  expect(elements_of(state, negative)[0], -5, -6);
  EXPECT_TRUE(has_bits(negative));
  EXPECT_FALSE(has_bits(state.tensors[0]));
}

TEST(Complex, the_history_of_a_written_view_of_parts_is_beyond_the_reference) {
  const State state = made(complex64, {number(1, 2)});
  Tensor view = state.tensors[0];
  view.base = 0;
  EXPECT_NO_THROW(refuse_view_of_parts(state, view));
  view.dtype = float32;
  EXPECT_THROW(refuse_view_of_parts(state, view), ReferenceLimit);
  view.dtype = complex64;
  view.meta.keys = view.meta.keys | Functionality::Conjugate;
  EXPECT_THROW(refuse_view_of_parts(state, view), ReferenceLimit);
}

TEST(Complex, the_tape_has_a_number_for_each_part) {
  Tape tape;
  Element a = number(1, 2);
  a.trace = tape.variable();
  a.imag_trace = tape.variable();
  const Element product = Arithmetic(complex64, &tape).multiply(a, number(0, 3));  // a · 3i
  const std::vector<Element> back = tape.back({{product.trace, {.real = 1}}}, float32);
  EXPECT_EQ(back[static_cast<std::size_t>(a.trace)].real, 0);
  EXPECT_EQ(back[static_cast<std::size_t>(a.imag_trace)].real, -3);  // the conjugate of 3i
}

TEST(Complex, an_op_whose_complex_kernel_is_unknown_is_beyond_the_reference) {
  EXPECT_TRUE(computes_complex(OpId::mul_Tensor));
  EXPECT_TRUE(computes_complex(OpId::transpose_int));
  EXPECT_FALSE(computes_complex(OpId::exp));
  EXPECT_FALSE(computes_complex(OpId::abs));
}

}  // namespace
}  // namespace plumbline::reference::complex_test
