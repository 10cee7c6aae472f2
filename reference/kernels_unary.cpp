// The kernels of neg, relu, exp, tanh and sqrt, functional and in place, and of two derivatives that are ops.
#include <array>
#include <cmath>

#include "reference/dtype_words.h"
#include "reference/pointwise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

namespace {

UnaryFunction function_of(OpId op) {
  switch (op) {
    case OpId::neg:
    case OpId::neg_:
      return UnaryFunction::negate;
    case OpId::relu:
    case OpId::relu_:
      return UnaryFunction::relu;
    case OpId::exp:
    case OpId::exp_:
      return UnaryFunction::exp;
    case OpId::tanh:
    case OpId::tanh_:
      return UnaryFunction::tanh;
    case OpId::sqrt:
    case OpId::sqrt_:
      return UnaryFunction::sqrt;
    default:
      throw std::logic_error("the reference has no kernel for this unary op");
  }
}

/// The dtype in which the function is computed; raises an error for bool if the function refuses it.
Dtype computed_type(const KernelCall& call, UnaryFunction function, const Input& self) {
  const bool truths = self.dtype == Dtype::boolean;
  if (function == UnaryFunction::negate && truths)
    raise(ErrorClass::dtype_op,
          "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
          "`~` or `logical_not()` operator instead.");
  if (function == UnaryFunction::relu && truths) raise(ErrorClass::dtype_op, "Boolean inputs not supported for relu");
  const bool keeps = function == UnaryFunction::negate || function == UnaryFunction::relu;
  return keeps ? self.dtype : common_floating_type(call.judge, {&self, 1});
}

std::vector<Element> computed(const KernelCall& call, UnaryFunction function, const Input& self, Dtype dtype) {
  const Arithmetic in = call.arithmetic(dtype);
  std::vector<Element> elements = spread(call, self, self.sizes(), dtype);
  for (Element& element : elements) element = in.apply(function, element);
  return elements;
}

Effect fresh_unary(const KernelCall& call) {
  const UnaryFunction function = function_of(call.op);
  const Input self = input_at(call, 0);
  const Dtype dtype = computed_type(call, function, self);
  const std::array read{as_read(self, dtype)};
  return made(pointwise_result(call.judge, self.sizes(), read, dtype, computed(call, function, self, dtype)));
}

/// The gradient where self is above the threshold, and where it is not a number; the result follows the strides of
/// self first [aten/src/ATen/native/Activation.cpp, threshold_backward].
Effect threshold_backward(const KernelCall& call) {
  const std::array inputs{input_at(call, 1), input_at(call, 0)};
  const Dtype dtype = common_type(call.judge, inputs);
  const Sizes sizes = broadcast_all(call.judge, inputs);
  if (dtype == Dtype::boolean) no_kernel("threshold_cpu", dtype);
  const Arithmetic in = call.arithmetic(dtype);
  // Halves are compared with a float32 [aten/src/ATen/native/cpu/Activation.cpp, threshold_kernel].
  const Element threshold = checked_element(call.arguments.number(2), is_half(dtype) ? Dtype::float32 : dtype);
  const std::vector<Element> self = spread(call, inputs[0], sizes, dtype);
  std::vector<Element> out = spread(call, inputs[1], sizes, dtype);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto less = in.less(self[i], threshold);
    const auto equal = in.equal(self[i], threshold);
    const bool zero = (less && *less) || (equal && *equal);
    const bool open = !zero && (!less || !equal);
    if (zero) out[i] = Element{};
    if (open) out[i] = in.multiply(out[i], Element{.known = false});  // by 0 or 1
  }
  const std::array read{as_read(inputs[0], dtype), as_read(inputs[1], dtype)};
  return made(pointwise_result(call.judge, sizes, read, dtype, std::move(out)));
}

/// grad_output · (1 − output²) [aten/src/ATen/native/BinaryOps.cpp, tanh_backward].
Effect tanh_backward(const KernelCall& call) {
  const std::array inputs{input_at(call, 0), input_at(call, 1)};
  const Dtype dtype = common_type(call.judge, inputs);
  const Sizes sizes = broadcast_all(call.judge, inputs);
  if (!is_floating(dtype)) no_kernel("tanh_backward_cpu", dtype);
  const Arithmetic in = call.arithmetic(dtype);
  std::vector<Element> out = spread(call, inputs[0], sizes, dtype);
  const std::vector<Element> output = spread(call, inputs[1], sizes, dtype);
  // Vectors of halves compute in float32, single elements in halves, where this overflows; tanh gives no such output.
  constexpr double kSquareFits = 128;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = in.multiply(out[i], in.subtract(in.constant(1), in.multiply(output[i], output[i])));
    if (is_half(dtype) && std::fabs(output[i].real) > kSquareFits) out[i].known = false;
  }
  const std::array read{as_read(inputs[0], dtype), as_read(inputs[1], dtype)};
  return made(pointwise_result(call.judge, sizes, read, dtype, std::move(out)));
}

Effect inplace_unary(const KernelCall& call) {
  const UnaryFunction function = function_of(call.op);
  const Input self = input_at(call, 0);
  const Dtype dtype = computed_type(call, function, self);
  const OverlapFacts<Concrete> facts = judged_overlap(call.judge, *self.tensor, {&self, 1}, false);
  require_cast(call.judge, dtype, self.dtype);
  Effect effect = written_as(call, *self.tensor, computed(call, function, self, dtype), dtype);
  mark_unspecified(facts, *self.tensor, {&self, 1}, *effect.written);
  return effect;
}

}  // namespace

std::span<const KernelEntry> unary_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::neg, fresh_unary},
                                      KernelEntry{OpId::relu, fresh_unary},
                                      KernelEntry{OpId::exp, fresh_unary},
                                      KernelEntry{OpId::tanh, fresh_unary},
                                      KernelEntry{OpId::sqrt, fresh_unary},
                                      KernelEntry{OpId::neg_, inplace_unary},
                                      KernelEntry{OpId::relu_, inplace_unary},
                                      KernelEntry{OpId::exp_, inplace_unary},
                                      KernelEntry{OpId::tanh_, inplace_unary},
                                      KernelEntry{OpId::sqrt_, inplace_unary},
                                      KernelEntry{OpId::threshold_backward, threshold_backward},
                                      KernelEntry{OpId::tanh_backward, tanh_backward}};
  return entries;
}

}  // namespace plumbline::reference
