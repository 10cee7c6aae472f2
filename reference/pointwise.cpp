// The parts that pointwise ops share.
#include "reference/pointwise.h"

#include "reference/dtype_words.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

Input input_of(const State& state, const Operand& operand) {
  if (operand.is_number()) return {operand, nullptr, operand.dtype()};
  const Tensor* tensor = &state.tensors[static_cast<std::size_t>(operand.tensor)];
  return {operand, tensor, tensor->dtype};
}

Input input_at(const KernelCall& call, std::size_t i) { return input_of(call.state, call.arguments.operand(i)); }

Dtype common_type(const Judge& judge, std::span<const Input> inputs) {
  using Type = Choice<Concrete, Dtype>;
  RankedDtypes<Concrete> ranks;
  for (const Input& input : inputs) {
    const std::size_t rank = input.tensor == nullptr ? 2 : (input.tensor->geometry.rank() > 0 ? 0 : 1);
    ranks[rank] = ranks[rank] ? promoted<Concrete>(judge, *ranks[rank], input.dtype) : Type(input.dtype);
  }
  const auto result = static_cast<Dtype>(result_type<Concrete>(judge, ranks).v);
  const auto half = Type(Dtype::float16);
  for (std::size_t rank = 0; rank + 1 < ranks.size(); ++rank)
    if (ranks[rank] && (*ranks[rank] == half).v && is_complex(result))
      throw ReferenceLimit("a float16 with dimensions and complex numbers without, which make a complex32");
  return result;
}

Dtype common_floating_type(const Judge& judge, std::span<const Input> inputs) {
  return static_cast<Dtype>(floating_type<Concrete>(judge, common_type(judge, inputs)).v);
}

Sizes broadcast_all(const Judge& judge, std::span<const Input> inputs) {
  Sizes sizes = inputs.front().sizes();
  for (const Input& input : inputs.subspan(1)) sizes = broadcast_sizes(judge, sizes, input.sizes());
  return sizes;
}

void require_cast(const Judge& judge, Dtype from, Dtype to) {
  const auto error = static_cast<ErrorClass>(check_cast<Concrete>(judge, from, to).v);
  if (error != ErrorClass::none)
    raise(error,
          text("result type ", scalar_name(from), " can't be cast to the desired output type ", scalar_name(to)));
}

std::vector<Element> spread(const KernelCall& call, const Input& input, const Sizes& sizes, Dtype dtype) {
  const auto count = static_cast<std::size_t>(element_count(sizes));
  if (input.tensor == nullptr) return std::vector<Element>(count, element_of(input.operand, dtype));
  Tensor stretched = *input.tensor;
  stretched.geometry = broadcast_to(stretched.geometry, sizes);
  std::vector<Element> elements = elements_of(call.state, stretched);
  for (Element& element : elements) element = converted(element, input.dtype, dtype, call.tape);
  return elements;
}

// [aten/src/ATen/TensorIterator.cpp, compute_types]
Geometry as_read(const Input& input, Dtype dtype) {
  const Geometry geometry = input.geometry();
  if (input.tensor == nullptr || input.dtype == dtype) return geometry;
  return geometry_of(sizes_of(geometry), dense_strides(sizes_of(geometry), strides_of(geometry)));
}

Fresh pointwise_result(const Judge& judge, const Sizes& sizes, std::span<const Geometry> read, Dtype dtype,
                       std::vector<Element> elements) {
  const Sizes strides = result_follows_strides(judge).v ? pointwise_strides(sizes, read) : row_major(sizes);
  return {sizes, strides, dtype, std::move(elements)};
}

OverlapFacts<Concrete> overlap_of(const Tensor& self, std::span<const Input> read, bool idempotent) {
  std::vector<const Tensor*> tensors;
  for (const Input& input : read)
    if (input.tensor != nullptr) tensors.push_back(input.tensor);
  return overlap_facts(self, tensors, idempotent);
}

void raise_overlap(ErrorClass error) {
  if (error == ErrorClass::overlap_internal)
    raise(error,
          "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
          "Please clone() the tensor before performing the operation.");
  if (error == ErrorClass::overlap_partial)
    raise(error,
          "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
          "location. Please clone() the tensor before performing the operation.");
}

OverlapFacts<Concrete> judged_overlap(const Judge& judge, const Tensor& self, std::span<const Input> read,
                                      bool idempotent) {
  const OverlapFacts<Concrete> facts = overlap_of(self, read, idempotent);
  raise_overlap(static_cast<ErrorClass>(check_overlap(judge, facts).v));
  return facts;
}

void mark_unspecified(const OverlapFacts<Concrete>& facts, const Tensor& self, std::span<const Input> read,
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

void require_sizes(const Judge& judge, const Tensor& self, std::span<const Input> inputs) {
  const Sizes sizes = sizes_of(self.geometry);
  Sizes broadcast = sizes;
  for (const Input& input : inputs) broadcast = broadcast_sizes(judge, broadcast, input.sizes());
  if (broadcast != sizes)
    raise(ErrorClass::shape,
          text("output with shape ", printed(sizes), " doesn't match the broadcast shape ", printed(broadcast)));
}

Effect written_as(const KernelCall& call, const Tensor& self, std::vector<Element> computed, Dtype from) {
  for (Element& element : computed) element = converted(element, from, self.dtype, call.tape);
  Effect effect;
  effect.written = std::move(computed);
  return effect;
}

}  // namespace plumbline::reference
