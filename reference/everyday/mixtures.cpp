// Pointwise ops of three operands: where with numbers, lerp, addcmul, addcdiv.
#include <array>
#include <cmath>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

/// The condition's element chooses; if it is not known, neither is the result. A mask is read as numbers of the
/// common dtype, in which true is not 0.
Pointwise where(const KernelCall& call) {
  std::vector<Input> inputs{input_at(call, 0), input_at(call, 1), input_at(call, 2)};
  cover(inputs[0].dtype == Dtype::boolean);
  const Dtype dtype = common_type(call.judge, std::span(inputs).subspan(1));
  return {std::move(inputs), dtype, dtype, [=](std::span<const Element> x) {
            const auto chosen = is_true(x[0], dtype);
            return chosen ? x[*chosen ? 1 : 2] : Element{.known = false};
          }};
}

bool same_floats(std::span<const Input> inputs) {
  for (const Input& input : inputs)
    if (!is_floating(input.dtype) || input.dtype != inputs.front().dtype) return false;
  return true;
}

/// From the end that is nearer: start + w · (end − start), or end − (end − start) · (1 − w)
/// [aten/src/ATen/native/Lerp.h, lerp].
Element between(const Arithmetic& in, const Element& start, const Element& end, const Element& weight) {
  const Element way = in.subtract(end, start);
  if (std::fabs(weight.real) < 0.5) return in.add(start, in.multiply(weight, way));
  return in.subtract(end, in.multiply(way, in.subtract(in.constant(1), weight)));
}

Pointwise lerp_tensor(const KernelCall& call) {
  std::vector<Input> inputs{input_at(call, 0), input_at(call, 1), input_at(call, 2)};
  cover(same_floats(inputs));
  const Dtype dtype = inputs[0].dtype;
  const Arithmetic in = call.arithmetic(dtype);
  return {std::move(inputs), dtype, dtype, [in](std::span<const Element> x) {
            Element out = between(in, x[0], x[1], x[2]);
            out.known = out.known && x[2].error == 0;
            return out;
          }};
}

Pointwise lerp_scalar(const KernelCall& call) {
  std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
  cover(same_floats(inputs));
  const Dtype dtype = inputs[0].dtype;
  const Arithmetic in = call.arithmetic(dtype);
  const Element weight = element_of(call.arguments.number(2), dtype);
  return {std::move(inputs), dtype, dtype,
          [in, weight](std::span<const Element> x) { return between(in, x[0], x[1], weight); }};
}

/// self + value · a · b, or self + value · a / b. The order of the factors, and a fused multiplication, are free.
PointwiseForm adds(std::string_view name, bool divides) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1), input_at(call, 2)};
            const Dtype dtype = common_type(call.judge, inputs);
            const Operand value = call.arguments.number(3);
            cover(dtype != Dtype::boolean && (is_floating(dtype) || (!divides && value.integral)));
            if (divides) cover(is_floating(inputs[1].dtype) || is_floating(inputs[2].dtype));
            const Arithmetic in = call.arithmetic(dtype);
            const Element factor = checked_element(value, dtype);
            return Pointwise{std::move(inputs), dtype, dtype, [=](std::span<const Element> x) {
                               const Element first = in.multiply(factor, x[1]);
                               return in.add(x[0], divides ? in.divide(first, x[2]) : in.multiply(first, x[2]));
                             }};
          }};
}

}  // namespace

std::vector<PointwiseForm> mixture_forms() {
  return {{"where.ScalarSelf", where},  {"where.ScalarOther", where}, {"where.Scalar", where},
          {"lerp.Tensor", lerp_tensor}, {"lerp.Scalar", lerp_scalar}, adds("addcmul", false),
          adds("addcdiv", true)};
}

}  // namespace plumbline::reference::everyday
