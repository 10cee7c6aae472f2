// What the pointwise ops mean, fresh and in place: broadcasting, type promotion, and one function an element.
#include <algorithm>
#include <array>

#include "reference/kernels.h"
#include "reference/raise.h"
#include "spec/op_ids.h"

namespace plumbline::reference {

namespace {

/// One input of a pointwise op: a tensor, or a number, which is a tensor without dimensions.
struct Input {
  Operand operand;
  const Tensor* tensor = nullptr;
  Dtype dtype = Dtype::float32;

  Geometry geometry() const { return tensor != nullptr ? tensor->geometry : Geometry{}; }
  Sizes sizes() const { return tensor != nullptr ? sizes_of(tensor->geometry) : Sizes{}; }
};

Input input_of(const State& state, const Operand& operand) {
  if (operand.is_number()) return {operand, nullptr, operand.integral ? Dtype::int64 : Dtype::float32};
  const Tensor* tensor = &state.tensors[static_cast<std::size_t>(operand.tensor)];
  return {operand, tensor, tensor->dtype};
}

Dtype promoted(Dtype a, Dtype b) {
  if (a == b) return a;
  if (a == Dtype::float64 || b == Dtype::float64) return Dtype::float64;
  return Dtype::float32;
}

/// The dtype in which an op computes: tensors with dimensions outrank those without, and these outrank numbers; a
/// lower rank counts only with a higher kind [aten/src/ATen/native/TypeProperties.cpp, result_type].
Dtype result_type(const std::vector<Input>& inputs) {
  std::optional<Dtype> by_rank[3];
  for (const Input& input : inputs) {
    const int rank = input.tensor == nullptr ? 2 : (input.tensor->geometry.rank() > 0 ? 0 : 1);
    by_rank[rank] = by_rank[rank] ? promoted(*by_rank[rank], input.dtype) : input.dtype;
  }
  std::optional<Dtype> result;
  for (const auto& dtype : by_rank) {
    if (!result)
      result = dtype;
    else if (dtype && !is_floating(*result) && is_floating(*dtype))
      result = dtype;
  }
  return *result;
}

/// The input's elements for a result of `sizes`, as elements of `dtype`.
std::vector<Element> spread(const KernelCall& call, const Input& input, const Sizes& sizes, Dtype dtype) {
  const auto count = static_cast<std::size_t>(element_count(sizes));
  if (input.tensor == nullptr) return std::vector<Element>(count, element_of(input.operand, dtype));
  Tensor stretched = *input.tensor;
  stretched.geometry = broadcast_to(stretched.geometry, sizes);
  std::vector<Element> elements = elements_of(call.state, stretched);
  for (Element& element : elements) element = converted(element, input.dtype, dtype, call.tape);
  return elements;
}

enum class Combination { add, subtract, multiply };

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
    default:
      throw std::logic_error("the reference has no meaning for a pointwise op");
  }
}

/// self ∘ alpha · other, element by element.
std::vector<Element> computed(const KernelCall& call, Combination kind, const std::vector<Input>& inputs,
                              const Operand& alpha, const Sizes& sizes, Dtype dtype) {
  const Arithmetic in = call.arithmetic(dtype);
  std::vector<Element> out = spread(call, inputs[0], sizes, dtype);
  const std::vector<Element> other = spread(call, inputs[1], sizes, dtype);
  Operand signed_alpha = alpha;  // negated as a number: −0 of an integer is +0
  if (kind == Combination::subtract) {
    signed_alpha.integer = -alpha.integer;
    signed_alpha.real = alpha.integral ? static_cast<double>(signed_alpha.integer) : -alpha.real;
  }
  const Element factor = element_of(signed_alpha, dtype);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = kind == Combination::multiply ? in.multiply(out[i], other[i])
                                           : in.add(out[i], in.multiply(other[i], factor));
  return out;
}

std::string shape_mismatch(const Sizes& output, const Sizes& broadcast) {
  return text("output with shape ", printed(output), " doesn't match the broadcast shape ", printed(broadcast));
}

/// Judges the overlap of a write by self's memory and `read`; raises its error.
OverlapFacts<Concrete> judged_overlap(const Judge& judge, const Tensor& self, const std::vector<Input>& read,
                                      bool idempotent) {
  std::vector<const Tensor*> tensors;
  for (const Input& input : read)
    if (input.tensor != nullptr) tensors.push_back(input.tensor);
  const OverlapFacts<Concrete> facts = overlap_facts(self, tensors, idempotent);
  const auto error = static_cast<ErrorClass>(check_overlap(judge, facts).v);
  if (error == ErrorClass::overlap_internal)
    raise(error,
          "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
          "Please clone() the tensor before performing the operation.");
  if (error == ErrorClass::overlap_partial)
    raise(error,
          "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
          "location. Please clone() the tensor before performing the operation.");
  return facts;
}

/// Marks as unspecified what depends on the order of the write.
void mark_unspecified(const OverlapFacts<Concrete>& facts, const Tensor& self, const std::vector<Input>& read,
                      std::vector<Element>& written) {
  if (!order_unspecified(facts).v) return;
  const Sizes sizes = sizes_of(self.geometry);
  std::vector<Tensor> others;
  for (const Input& input : read) {
    if (input.tensor == nullptr || input.tensor == &self) continue;
    others.push_back(*input.tensor);
    others.back().geometry = broadcast_to(input.tensor->geometry, sizes);
  }
  const std::vector<bool> depends = order_dependent(self, others);
  for (std::size_t i = 0; i < written.size(); ++i) written[i].known = written[i].known && !depends[i];
}

void check_alpha(const Operand& alpha, Dtype dtype) {
  if (dtype == Dtype::int64 && !alpha.integral)
    raise(ErrorClass::dtype_mismatch,
          "For integral input tensors, argument alpha must not be a floating point number.");
}

struct Binary {
  Combination kind;
  std::vector<Input> inputs;
  Operand alpha{kNoTensor, true, 1, 1};
};

Binary binary(const KernelCall& call) {
  Binary made{combination_of(call.op),
              {input_of(call.state, call.arguments.operand(0)), input_of(call.state, call.arguments.operand(1))}};
  if (made.kind != Combination::multiply) made.alpha = call.arguments.number(2);
  return made;
}

/// Whether two tensors are the same elements of the same storage.
bool same_memory(const Tensor& a, const Tensor& b) {
  return a.storage == b.storage && a.dtype == b.dtype && a.geometry.offset.v == b.geometry.offset.v &&
         sizes_of(a.geometry) == sizes_of(b.geometry) && strides_of(a.geometry) == strides_of(b.geometry);
}

Effect copy(const KernelCall& call) {
  const Judge& judge = call.judge;
  const State& state = call.state;
  const Arguments& arguments = call.arguments;
  const Input self = input_of(state, arguments.operand(0));
  const std::vector<Input> source{input_of(state, arguments.operand(1))};
  Effect effect;
  if (source[0].tensor == self.tensor) return effect;
  if (copy_onto_itself_does_nothing(judge).v && source[0].tensor != nullptr &&
      same_memory(*self.tensor, *source[0].tensor))
    return effect;
  const OverlapFacts<Concrete> facts = judged_overlap(judge, *self.tensor, source, false);
  const Sizes sizes = self.sizes();
  const Sizes broadcast = broadcast_sizes(judge, sizes, source[0].sizes());
  if (broadcast != sizes) raise(ErrorClass::shape, shape_mismatch(sizes, broadcast));
  effect.written = spread(call, source[0], sizes, self.dtype);
  mark_unspecified(facts, *self.tensor, source, *effect.written);
  return effect;
}

/// The geometry in which an input is read: one of another dtype is first copied to `dtype`, densely
/// [aten/src/ATen/TensorIterator.cpp, compute_types].
Geometry as_read(const Input& input, Dtype dtype) {
  const Geometry geometry = input.geometry();
  if (input.tensor == nullptr || input.dtype == dtype) return geometry;
  return geometry_of(sizes_of(geometry), dense_strides(sizes_of(geometry), strides_of(geometry)));
}

Effect fresh_binary(const KernelCall& call) {
  const Judge& judge = call.judge;
  const Binary binary = reference::binary(call);
  const Dtype dtype = result_type(binary.inputs);
  const Sizes sizes = broadcast_sizes(judge, binary.inputs[0].sizes(), binary.inputs[1].sizes());
  check_alpha(binary.alpha, dtype);
  const std::vector<Geometry> geometries{as_read(binary.inputs[0], dtype), as_read(binary.inputs[1], dtype)};
  const Sizes strides = result_follows_strides(judge).v ? pointwise_strides(sizes, geometries) : row_major(sizes);
  Effect effect;
  effect.fresh.push_back(
      {sizes, strides, dtype, computed(call, binary.kind, binary.inputs, binary.alpha, sizes, dtype)});
  return effect;
}

Effect fill(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  (void)judged_overlap(call.judge, self, {}, true);
  const Operand value = call.op == OpId::zero_ ? Operand{kNoTensor, true, 0, 0} : call.arguments.number(1);
  Effect effect;
  effect.written.emplace(static_cast<std::size_t>(element_count(sizes_of(self.geometry))),
                         element_of(value, self.dtype));
  return effect;
}

Effect inplace_binary(const KernelCall& call) {
  const Input self = input_of(call.state, call.arguments.operand(0));
  const Sizes sizes = self.sizes();
  const Binary binary = reference::binary(call);
  const OverlapFacts<Concrete> facts = judged_overlap(call.judge, *self.tensor, binary.inputs, false);
  const Sizes broadcast = broadcast_sizes(call.judge, sizes, binary.inputs[1].sizes());
  if (broadcast != sizes) raise(ErrorClass::shape, shape_mismatch(sizes, broadcast));
  const Dtype dtype = result_type(binary.inputs);
  if (is_floating(dtype) && !is_floating(self.dtype))
    raise(ErrorClass::dtype_cast, text("result type ", dtype == Dtype::float32 ? "Float" : "Double",
                                       " can't be cast to the desired output type Long"));
  check_alpha(binary.alpha, dtype);
  std::vector<Element> written = computed(call, binary.kind, binary.inputs, binary.alpha, sizes, dtype);
  for (Element& element : written) element = converted(element, dtype, self.dtype, call.tape);
  mark_unspecified(facts, *self.tensor, binary.inputs, written);
  Effect effect;
  effect.written = std::move(written);
  return effect;
}

}  // namespace

std::span<const KernelEntry> pointwise_kernels() {
  static constexpr std::array entries{
      KernelEntry{OpId::add_Tensor, fresh_binary},    KernelEntry{OpId::sub_Tensor, fresh_binary},
      KernelEntry{OpId::mul_Tensor, fresh_binary},    KernelEntry{OpId::add__Tensor, inplace_binary},
      KernelEntry{OpId::sub__Tensor, inplace_binary}, KernelEntry{OpId::mul__Tensor, inplace_binary},
      KernelEntry{OpId::fill__Scalar, fill},          KernelEntry{OpId::zero_, fill},
      KernelEntry{OpId::copy_, copy}};
  return entries;
}

}  // namespace plumbline::reference
