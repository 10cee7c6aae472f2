// Sums, differences, products and quotients with numbers, and under their other names: add.Scalar, rsub, multiply,
// divide.
#include <cmath>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

enum class ArithmeticKind : std::uint8_t { add, subtract, subtract_from, multiply, divide };

/// The factor of the second operand; 1 if the op has none.
Element factor_of(const KernelCall& call, ArithmeticKind kind, Dtype dtype) {
  Operand alpha{kNoTensor, true, 1, 1};
  if (call.arguments.values().size() > 2) alpha = call.arguments.number(2);
  cover(!(alpha.truth && dtype != Dtype::boolean) && (is_inexact(dtype) || alpha.integral));
  cover(is_complex(dtype) || !alpha.complex);
  if (kind != ArithmeticKind::add) {  // negated as a number: −0 of an integer is +0
    alpha.integer = -alpha.integer;
    alpha.real = alpha.integral ? static_cast<double>(alpha.integer) : -alpha.real;
    alpha.imag = -alpha.imag;
  }
  return checked_element(alpha, dtype);
}

/// Quotients of complex numbers are left to the plain run, which rounds them as the call does.
/// The second operand of rsub is the one that is subtracted from: its operands are exchanged, in the layout too
/// [aten/src/ATen/native/BinaryOps.cpp, rsub].
PointwiseForm arithmetic(std::string_view name, ArithmeticKind kind) {
  return {name,
          [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const bool subtracts = kind == ArithmeticKind::subtract || kind == ArithmeticKind::subtract_from;
            cover(!subtracts || (inputs[0].dtype != Dtype::boolean && inputs[1].dtype != Dtype::boolean));
            if (kind == ArithmeticKind::subtract_from) std::swap(inputs[0], inputs[1]);
            const bool divides = kind == ArithmeticKind::divide;
            const Dtype dtype = divides ? common_floating_type(call.judge, inputs) : common_type(call.judge, inputs);
            const Arithmetic in = call.arithmetic(dtype);
            if (divides)
              return Pointwise{std::move(inputs), dtype, dtype,
                               [in](std::span<const Element> x) { return in.divide(x[0], x[1]); }};
            if (kind == ArithmeticKind::multiply)
              return Pointwise{std::move(inputs), dtype, dtype,
                               [in](std::span<const Element> x) { return in.multiply(x[0], x[1]); }};
            const Element factor = factor_of(call, kind, dtype);
            return Pointwise{std::move(inputs), dtype, dtype, [in, factor](std::span<const Element> x) {
                               return in.add(x[0], in.multiply(x[1], factor));
                             }};
          },
          OutForm::converts, true, kind != ArithmeticKind::divide};
}

}  // namespace

std::vector<PointwiseForm> arithmetic_forms() {
  return {arithmetic("add.Scalar", ArithmeticKind::add),
          arithmetic("sub.Scalar", ArithmeticKind::subtract),
          arithmetic("subtract.Tensor", ArithmeticKind::subtract),
          arithmetic("subtract.Scalar", ArithmeticKind::subtract),
          arithmetic("rsub.Tensor", ArithmeticKind::subtract_from),
          arithmetic("rsub.Scalar", ArithmeticKind::subtract_from),
          arithmetic("mul.Scalar", ArithmeticKind::multiply),
          arithmetic("multiply.Tensor", ArithmeticKind::multiply),
          arithmetic("multiply.Scalar", ArithmeticKind::multiply),
          arithmetic("div.Scalar", ArithmeticKind::divide),
          arithmetic("divide.Tensor", ArithmeticKind::divide),
          arithmetic("divide.Scalar", ArithmeticKind::divide),
          arithmetic("true_divide.Tensor", ArithmeticKind::divide),
          arithmetic("true_divide.Scalar", ArithmeticKind::divide)};
}

}  // namespace plumbline::reference::everyday
