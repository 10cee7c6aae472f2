// Ops that fill new tensors: fill, new_ones, eye, scalar_tensor.
#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

/// self's sizes, and strides in their order, with one value.
Effect filled_like(const KernelCall& call, const Element& value) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  Fresh result = filled(sizes, self.dtype, value);
  result.strides = dense_strides(sizes, strides_of(self.geometry));
  return made(std::move(result));
}
Effect zero(const KernelCall& call) { return filled_like(call, Element{}); }
Effect fill_scalar(const KernelCall& call) {
  return filled_like(call, checked_element(call.arguments.number(1), call.tensor(0).dtype));
}
Effect fill_tensor(const KernelCall& call) {
  const Input value = input_at(call, 1);
  cover(value.tensor != nullptr && value.sizes().empty());
  return filled_like(call, spread(call, value, {}, call.tensor(0).dtype).front());
}

Effect new_filled(const KernelCall& call, std::int64_t number) {
  const Sizes sizes = call.arguments.integers(1);
  for (const std::int64_t size : sizes) cover(size >= 0);
  const Dtype dtype = call.arguments.dtype(2).value_or(call.tensor(0).dtype);
  return made(filled(sizes, dtype, element_of({kNoTensor, true, static_cast<double>(number), number}, dtype)));
}
Effect new_zeros(const KernelCall& call) { return new_filled(call, 0); }
Effect new_ones(const KernelCall& call) { return new_filled(call, 1); }

Effect identity(std::int64_t rows, std::int64_t columns, std::optional<Dtype> asked) {
  cover(rows >= 0 && columns >= 0);
  const Dtype dtype = asked.value_or(Dtype::float32);
  Fresh result = filled({rows, columns}, dtype, Element{});
  for (std::int64_t i = 0; i < std::min(rows, columns); ++i)
    result.elements[static_cast<std::size_t>(i * columns + i)] = element_of({kNoTensor, true, 1, 1}, dtype);
  return made(std::move(result));
}
Effect eye(const KernelCall& call) {
  return identity(call.arguments.integer(0), call.arguments.integer(0), call.arguments.dtype(1));
}
Effect eye_m(const KernelCall& call) {
  return identity(call.arguments.integer(0), call.arguments.integer(1), call.arguments.dtype(2));
}
Effect scalar_tensor(const KernelCall& call) {
  const Dtype dtype = call.arguments.dtype(1).value_or(Dtype::float32);
  return made({{}, {}, dtype, {checked_element(call.arguments.number(0), dtype)}});
}

}  // namespace

std::vector<WholeForm> fill_forms() {
  return {{"zero", zero},
          {"fill.Scalar", fill_scalar},
          {"fill.Tensor", fill_tensor},
          {"new_zeros", new_zeros},
          {"new_ones", new_ones},
          {"scalar_tensor", scalar_tensor},
          {"eye", eye},
          {"eye.m", eye_m}};
}

}  // namespace plumbline::reference::everyday
