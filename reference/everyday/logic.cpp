// Logical and bitwise ops of two operands, and shifts.
#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

using Bits = std::int64_t (*)(std::int64_t, std::int64_t);

std::int64_t both_bits(std::int64_t a, std::int64_t b) { return a & b; }
std::int64_t any_bits(std::int64_t a, std::int64_t b) { return a | b; }
std::int64_t odd_bits(std::int64_t a, std::int64_t b) { return a ^ b; }

/// The truth of each operand; their common dtype is any.
PointwiseForm logical(std::string_view name, Bits bits) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = common_type(call.judge, inputs);
            return Pointwise{std::move(inputs), dtype, Dtype::boolean, [=](std::span<const Element> x) {
                               const auto a = is_true(x[0], dtype);
                               const auto b = is_true(x[1], dtype);
                               if (!a || !b) return truth(std::nullopt);
                               return truth(bits(*a ? 1 : 0, *b ? 1 : 0) != 0);
                             }};
          }};
}

PointwiseForm bitwise(std::string_view name, Bits bits) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = common_type(call.judge, inputs);
            cover(!is_floating(dtype));
            return Pointwise{std::move(inputs), dtype, dtype, [=](std::span<const Element> x) {
                               return Element{.integer = bits(x[0].integer, x[1].integer),
                                              .known = x[0].known && x[1].known};
                             }};
          }};
}

/// By as many bits as the integer has, or by a negative number of bits, all bits are shifted out
/// [aten/src/ATen/native/cpu/BinaryOpsKernel.cpp, lshift_kernel, rshift_kernel].
PointwiseForm shift(std::string_view name, bool left) {
  return {name, [=](const KernelCall& call) {
            std::vector<Input> inputs{input_at(call, 0), input_at(call, 1)};
            const Dtype dtype = common_type(call.judge, inputs);
            cover(!is_floating(dtype) && dtype != Dtype::boolean);
            const std::int64_t width = 8 * item_size(dtype);
            return Pointwise{std::move(inputs), dtype, dtype, [=](std::span<const Element> x) {
                               const std::int64_t by = x[1].integer;
                               const bool all = by < 0 || by >= width;
                               Element out{.known = x[0].known && x[1].known};
                               if (left && !all)
                                 out.integer = wrapped_integer(
                                     static_cast<std::int64_t>(static_cast<std::uint64_t>(x[0].integer) << by), dtype);
                               if (!left) out.integer = x[0].integer >> (all ? width - 1 : by);
                               return out;
                             }};
          }};
}

}  // namespace

std::vector<PointwiseForm> logic_forms() {
  return {logical("logical_and", both_bits),
          logical("logical_or", any_bits),
          logical("logical_xor", odd_bits),
          bitwise("bitwise_and.Tensor", both_bits),
          bitwise("bitwise_and.Scalar", both_bits),
          bitwise("bitwise_and.Scalar_Tensor", both_bits),
          bitwise("bitwise_or.Tensor", any_bits),
          bitwise("bitwise_or.Scalar", any_bits),
          bitwise("bitwise_or.Scalar_Tensor", any_bits),
          bitwise("bitwise_xor.Tensor", odd_bits),
          bitwise("bitwise_xor.Scalar", odd_bits),
          bitwise("bitwise_xor.Scalar_Tensor", odd_bits),
          shift("bitwise_left_shift.Tensor", true),
          shift("bitwise_left_shift.Tensor_Scalar", true),
          shift("bitwise_left_shift.Scalar_Tensor", true),
          shift("bitwise_right_shift.Tensor", false),
          shift("bitwise_right_shift.Tensor_Scalar", false),
          shift("bitwise_right_shift.Scalar_Tensor", false)};
}

}  // namespace plumbline::reference::everyday
