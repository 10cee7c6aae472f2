// What the pointwise ops mean, fresh and in place: broadcasting, type promotion, and one function an element.
#include <algorithm>
#include <cmath>

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
std::vector<Element> spread(const State& state, const Input& input, const Sizes& sizes, Dtype dtype) {
  const auto count = static_cast<std::size_t>(element_count(sizes));
  if (input.tensor == nullptr) return std::vector<Element>(count, element_of(input.operand, dtype));
  Tensor stretched = *input.tensor;
  stretched.geometry = broadcast_to(stretched.geometry, sizes);
  std::vector<Element> elements = elements_of(state, stretched);
  for (Element& element : elements) element = converted(element, input.dtype, dtype);
  return elements;
}

std::int64_t wrap(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

/// a × b, with the rounding that `dtype` has.
Element multiplied(const Element& a, const Element& b, Dtype dtype) {
  Element out{.known = a.known && b.known, .exact = a.exact && b.exact};
  if (dtype == Dtype::int64) {
    out.integer = wrap(static_cast<std::uint64_t>(a.integer) * static_cast<std::uint64_t>(b.integer));
    return out;
  }
  const double product = a.real * b.real;
  const double kept = dtype == Dtype::float32 ? static_cast<double>(static_cast<float>(product)) : product;
  out.real = kept;
  out.exact = out.exact && kept == product && std::fma(a.real, b.real, -product) == 0.0;
  return out;
}

/// a + b.
Element added(const Element& a, const Element& b, Dtype dtype) {
  Element out{.known = a.known && b.known, .exact = a.exact && b.exact};
  if (dtype == Dtype::int64) {
    out.integer = wrap(static_cast<std::uint64_t>(a.integer) + static_cast<std::uint64_t>(b.integer));
    return out;
  }
  const double sum = a.real + b.real;
  const double kept = dtype == Dtype::float32 ? static_cast<double>(static_cast<float>(sum)) : sum;
  const double rest = sum - a.real;
  out.real = kept;
  out.exact = out.exact && kept == sum && (a.real - (sum - rest)) + (b.real - rest) == 0.0;
  return out;
}

enum class Arithmetic { add, subtract, multiply };

Arithmetic arithmetic_of(OpId op) {
  switch (op) {
    case OpId::add_Tensor:
    case OpId::add__Tensor:
      return Arithmetic::add;
    case OpId::sub_Tensor:
    case OpId::sub__Tensor:
      return Arithmetic::subtract;
    case OpId::mul_Tensor:
    case OpId::mul__Tensor:
      return Arithmetic::multiply;
    default:
      throw std::logic_error("the reference has no meaning for a pointwise op");
  }
}

/// self ∘ alpha · other, element by element.
std::vector<Element> computed(const State& state, Arithmetic kind, const std::vector<Input>& inputs,
                              const Operand& alpha, const Sizes& sizes, Dtype dtype) {
  std::vector<Element> out = spread(state, inputs[0], sizes, dtype);
  const std::vector<Element> other = spread(state, inputs[1], sizes, dtype);
  Operand signed_alpha = alpha;  // negated as a number: −0 of an integer is +0
  if (kind == Arithmetic::subtract) {
    signed_alpha.integer = -alpha.integer;
    signed_alpha.real = alpha.integral ? static_cast<double>(signed_alpha.integer) : -alpha.real;
  }
  const Element factor = element_of(signed_alpha, dtype);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = kind == Arithmetic::multiply ? multiplied(out[i], other[i], dtype)
                                          : added(out[i], multiplied(other[i], factor, dtype), dtype);
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
  Arithmetic kind;
  std::vector<Input> inputs;
  Operand alpha{kNoTensor, true, 1, 1};
};

Binary binary(const State& state, OpId op, const Arguments& arguments) {
  Binary call{arithmetic_of(op), {input_of(state, arguments.operand(0)), input_of(state, arguments.operand(1))}};
  if (call.kind != Arithmetic::multiply) call.alpha = arguments.number(2);
  return call;
}

/// Whether two tensors are the same elements of the same storage.
bool same_memory(const Tensor& a, const Tensor& b) {
  return a.storage == b.storage && a.dtype == b.dtype && a.geometry.offset.v == b.geometry.offset.v &&
         sizes_of(a.geometry) == sizes_of(b.geometry) && strides_of(a.geometry) == strides_of(b.geometry);
}

Effect copy_meaning(const Judge& judge, const State& state, const Arguments& arguments) {
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
  effect.written = spread(state, source[0], sizes, self.dtype);
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

}  // namespace

Effect pointwise_meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments) {
  const Binary call = binary(state, op, arguments);
  const Dtype dtype = result_type(call.inputs);
  const Sizes sizes = broadcast_sizes(judge, call.inputs[0].sizes(), call.inputs[1].sizes());
  check_alpha(call.alpha, dtype);
  const std::vector<Geometry> geometries{as_read(call.inputs[0], dtype), as_read(call.inputs[1], dtype)};
  const Sizes strides = result_follows_strides(judge).v ? pointwise_strides(sizes, geometries) : row_major(sizes);
  Effect effect;
  effect.fresh.push_back({sizes, strides, dtype, computed(state, call.kind, call.inputs, call.alpha, sizes, dtype)});
  return effect;
}

Effect write_meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments) {
  if (op == OpId::copy_) return copy_meaning(judge, state, arguments);
  const Input self = input_of(state, arguments.operand(0));
  const Sizes sizes = self.sizes();
  Effect effect;
  if (op == OpId::fill__Scalar || op == OpId::zero_) {
    (void)judged_overlap(judge, *self.tensor, {}, true);
    const Operand value = op == OpId::zero_ ? Operand{kNoTensor, true, 0, 0} : arguments.number(1);
    effect.written.emplace(static_cast<std::size_t>(element_count(sizes)), element_of(value, self.dtype));
    return effect;
  }
  const Binary call = binary(state, op, arguments);
  const OverlapFacts<Concrete> facts = judged_overlap(judge, *self.tensor, call.inputs, false);
  const Sizes broadcast = broadcast_sizes(judge, sizes, call.inputs[1].sizes());
  if (broadcast != sizes) raise(ErrorClass::shape, shape_mismatch(sizes, broadcast));
  const Dtype dtype = result_type(call.inputs);
  if (is_floating(dtype) && !is_floating(self.dtype))
    raise(ErrorClass::dtype_cast, text("result type ", dtype == Dtype::float32 ? "Float" : "Double",
                                       " can't be cast to the desired output type Long"));
  check_alpha(call.alpha, dtype);
  std::vector<Element> written = computed(state, call.kind, call.inputs, call.alpha, sizes, dtype);
  for (Element& element : written) element = converted(element, dtype, self.dtype);
  mark_unspecified(facts, *self.tensor, call.inputs, written);
  effect.written = std::move(written);
  return effect;
}

}  // namespace plumbline::reference
