// The kernels of add, sub, mul, div, copy_ and the fills, functional and in place.
#include <array>

#include "reference/bits.h"
#include "reference/pointwise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

namespace {

enum class Combination { add, subtract, multiply, divide };

Combination combination_of(OpId op) {
  switch (op) {
    case OpId::add_Tensor:
    case OpId::add__Tensor:
      return Combination::add;
    case OpId::sub_Tensor:
    case OpId::sub__Tensor:
      return Combination::subtract;
    case OpId::mul_Tensor:
    case OpId::mul__Tensor:
      return Combination::multiply;
    case OpId::div_Tensor:
    case OpId::div__Tensor:
      return Combination::divide;
    default:
      throw std::logic_error("the reference has no kernel for this pointwise op");
  }
}

/// self ∘ alpha · other.
struct Binary {
  Combination kind;
  std::vector<Input> inputs;
  Operand alpha{kNoTensor, true, 1, 1};
  Dtype dtype = Dtype::float32;
};

// [aten/src/ATen/native/BinaryOps.h, sub_check]
void check_subtraction(const std::vector<Input>& inputs) {
  const bool first = inputs[0].dtype == Dtype::boolean;
  const bool second = inputs[1].dtype == Dtype::boolean;
  if (first && second)
    raise(ErrorClass::dtype_mismatch,
          "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
          "operator instead.");
  if (first || second)
    raise(ErrorClass::dtype_mismatch,
          "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use "
          "the `~` or `logical_not()` operator instead.");
}

Binary binary(const KernelCall& call) {
  Binary made{combination_of(call.op), {input_at(call, 0), input_at(call, 1)}};
  const bool divides = made.kind == Combination::divide;
  if (made.kind == Combination::subtract) check_subtraction(made.inputs);
  if (!divides && made.kind != Combination::multiply) made.alpha = call.arguments.number(2);
  made.dtype = divides ? common_floating_type(call.judge, made.inputs) : common_type(call.judge, made.inputs);
  return made;
}

// [aten/src/ATen/native/BinaryOps.h, alpha_check]
void check_alpha(const Operand& alpha, Dtype dtype) {
  if (alpha.truth && dtype != Dtype::boolean)
    raise(ErrorClass::dtype_mismatch, "Boolean alpha only supported for Boolean results.");
  if (!is_inexact(dtype) && !alpha.integral)
    raise(ErrorClass::dtype_mismatch,
          "For integral input tensors, argument alpha must not be a floating point number.");
  if (!is_complex(dtype) && alpha.complex)
    raise(ErrorClass::dtype_mismatch, "For non-complex input tensors, argument alpha must not be a complex number.");
}

/// The dtype in which the second operand is read: mul and div of halves read a single element before it is rounded to
/// the half [aten/src/ATen/native/cpu/BinaryOpsKernel.cpp, div_true_kernel: original_scalar_value<opmath_t>].
Dtype second_type(const Binary& binary) {
  const bool scales = binary.kind == Combination::multiply || binary.kind == Combination::divide;
  const bool single = element_count(binary.inputs[1].sizes()) == 1;
  return is_half(binary.dtype) && scales && single ? Dtype::float32 : binary.dtype;
}

std::vector<Element> computed(const KernelCall& call, const Binary& binary, const Sizes& sizes) {
  const Arithmetic in = call.arithmetic(binary.dtype);
  std::vector<Element> out = spread(call, binary.inputs[0], sizes, binary.dtype);
  const std::vector<Element> other = spread(call, binary.inputs[1], sizes, second_type(binary));
  Operand signed_alpha = binary.alpha;  // negated as a number: −0 of an integer is +0
  if (binary.kind == Combination::subtract) {
    signed_alpha.integer = -binary.alpha.integer;
    signed_alpha.real = binary.alpha.integral ? static_cast<double>(signed_alpha.integer) : -binary.alpha.real;
    signed_alpha.imag = -binary.alpha.imag;
  }
  const Element factor = checked_element(signed_alpha, binary.dtype);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (binary.kind == Combination::multiply)
      out[i] = in.multiply(out[i], other[i]);
    else if (binary.kind == Combination::divide)
      out[i] = in.divide(out[i], other[i]);
    else
      out[i] = in.add(out[i], in.multiply(other[i], factor));
  }
  return out;
}

Effect fresh_binary(const KernelCall& call) {
  const Binary operation = binary(call);
  const Sizes sizes = broadcast_all(call.judge, operation.inputs);
  check_alpha(operation.alpha, operation.dtype);
  const std::array read{as_read(operation.inputs[0], operation.dtype), as_read(operation.inputs[1], operation.dtype)};
  return made(pointwise_result(call.judge, sizes, read, operation.dtype, computed(call, operation, sizes)));
}

Effect inplace_binary(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Binary operation = binary(call);
  const OverlapFacts<Concrete> facts = judged_overlap(call.judge, self, operation.inputs, false);
  require_sizes(call.judge, self, operation.inputs);
  require_cast(call.judge, operation.dtype, self.dtype);
  check_alpha(operation.alpha, operation.dtype);
  Effect effect = written_as(call, self, computed(call, operation, sizes_of(self.geometry)), operation.dtype);
  mark_unspecified(facts, self, operation.inputs, *effect.written);
  return effect;
}

/// Whether two tensors are the same elements of the same storage.
bool same_memory(const Judge& judge, const Tensor& a, const Tensor& b) {
  return a.storage == b.storage && a.dtype == b.dtype && bits_agree(judge, bits_of(a), bits_of(b)).v &&
         a.geometry.offset.v == b.geometry.offset.v && sizes_of(a.geometry) == sizes_of(b.geometry) &&
         strides_of(a.geometry) == strides_of(b.geometry);
}

Effect copy(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const std::array source{input_at(call, 1)};
  Effect effect;
  if (source[0].tensor == &self) return effect;
  const bool same = source[0].tensor != nullptr && same_memory(call.judge, self, *source[0].tensor);
  if (copy_does_nothing<Concrete>(call.judge, same).v) return effect;
  const OverlapFacts<Concrete> facts = judged_overlap(call.judge, self, source, false);
  require_sizes(call.judge, self, source);
  effect.written = spread(call, source[0], sizes_of(self.geometry), self.dtype);
  mark_unspecified(facts, self, source, *effect.written);
  return effect;
}

Effect fill(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  (void)judged_overlap(call.judge, self, {}, true);
  const Operand value = call.op == OpId::zero_ ? Operand{kNoTensor, true, 0, 0} : call.arguments.number(1);
  Effect effect;
  effect.written.emplace(static_cast<std::size_t>(element_count(sizes_of(self.geometry))),
                         checked_element(value, self.dtype));
  return effect;
}

}  // namespace

std::span<const KernelEntry> pointwise_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::add_Tensor, fresh_binary},
                                      KernelEntry{OpId::sub_Tensor, fresh_binary},
                                      KernelEntry{OpId::mul_Tensor, fresh_binary},
                                      KernelEntry{OpId::div_Tensor, fresh_binary},
                                      KernelEntry{OpId::add__Tensor, inplace_binary},
                                      KernelEntry{OpId::sub__Tensor, inplace_binary},
                                      KernelEntry{OpId::mul__Tensor, inplace_binary},
                                      KernelEntry{OpId::div__Tensor, inplace_binary},
                                      KernelEntry{OpId::fill__Scalar, fill},
                                      KernelEntry{OpId::zero_, fill},
                                      KernelEntry{OpId::copy_, copy}};
  return entries;
}

}  // namespace plumbline::reference
