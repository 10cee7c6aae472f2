// The kernels of neg, relu, exp, tanh and sqrt, functional and in place.
#include <array>

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
  static constexpr std::array entries{KernelEntry{OpId::neg, fresh_unary},     KernelEntry{OpId::relu, fresh_unary},
                                      KernelEntry{OpId::exp, fresh_unary},     KernelEntry{OpId::tanh, fresh_unary},
                                      KernelEntry{OpId::sqrt, fresh_unary},    KernelEntry{OpId::neg_, inplace_unary},
                                      KernelEntry{OpId::relu_, inplace_unary}, KernelEntry{OpId::exp_, inplace_unary},
                                      KernelEntry{OpId::tanh_, inplace_unary}, KernelEntry{OpId::sqrt_, inplace_unary}};
  return entries;
}

}  // namespace plumbline::reference
