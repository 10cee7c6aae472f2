// The kernels of cat and stack.
#include <algorithm>
#include <array>

#include "reference/join.h"
#include "reference/raise.h"
#include "reference/reshape.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_ops.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

namespace {

/// The strides of cat's result of `sizes`: channels-last if every tensor suggests it
/// [aten/src/ATen/native/TensorShape.cpp, cat_compute_output_memory_format].
Sizes joined_strides(const std::vector<Tensor>& tensors, const Sizes& sizes) {
  const std::size_t rank = tensors.front().geometry.sizes.size();
  const bool last = std::all_of(tensors.begin(), tensors.end(), [&](const Tensor& tensor) {
    return tensor.geometry.sizes.size() == rank &&
           suggests_channels_last(sizes_of(tensor.geometry), strides_of(tensor.geometry));
  });
  return last && sizes.size() == rank ? channels_last_strides(sizes) : row_major(sizes);
}

std::vector<Tensor> tensors_of(const KernelCall& call) {
  std::vector<Tensor> tensors;
  for (const TensorId id : call.arguments.tensors(0))
    tensors.push_back(call.state.tensors[static_cast<std::size_t>(id)]);
  return tensors;
}

Effect cat(const KernelCall& call) {
  const Joining joining = joining_of(call.judge, tensors_of(call), call.arguments.integer(1));
  Effect effect;
  effect.fresh.push_back(joined(call.state, joining, joined_dtype(call.judge, joining), call.tape));
  return effect;
}

/// [aten/src/ATen/native/TensorShape.cpp, stack, check_stack_inputs]
Effect stack(const KernelCall& call) {
  std::vector<Tensor> tensors = tensors_of(call);
  if (tensors.empty()) raise(ErrorClass::range, "stack expects a non-empty TensorList");
  Sizes sizes = sizes_of(tensors.front().geometry);
  const int dim = wrapped_dim(call.judge, call.arguments.integer(1), sizes.size() + 1);
  for (std::size_t i = 1; i < tensors.size(); ++i)
    if (sizes_of(tensors[i].geometry) != sizes)
      raise(ErrorClass::shape, text("stack expects each tensor to be equal size, but got ", printed(sizes),
                                    " at entry 0 and ", printed(sizes_of(tensors[i].geometry)), " at entry ", i));
  const bool behind = dim == static_cast<int>(sizes.size());
  if (behind)
    for (Tensor& tensor : tensors) tensor.geometry = unsqueeze_view(call.judge, tensor.geometry, dim);
  sizes.insert(sizes.begin() + dim, static_cast<std::int64_t>(tensors.size()));
  const Joining joining = joining_of(call.judge, std::move(tensors), dim);
  Fresh fresh = joined(call.state, joining, joined_dtype(call.judge, joining), call.tape);
  if (!behind)
    fresh.strides = view_strides(fresh.sizes, fresh.strides, sizes).value();  // a dimension can always be split
  fresh.sizes = sizes;
  Effect effect;
  effect.fresh.push_back(std::move(fresh));
  return effect;
}

}  // namespace

bool Joining::any() const {
  return std::any_of(skips.begin(), skips.end(), [](bool skip) { return !skip; });
}

Joining joining_of(const Judge& judge, std::vector<Tensor> tensors, std::int64_t dim) {
  if (tensors.empty()) raise(ErrorClass::range, "torch.cat(): expected a non-empty list of Tensors", "ValueError");
  Joining joining{std::move(tensors), dim, {}};
  for (std::size_t i = 0; i < joining.tensors.size(); ++i)
    if (joining.tensors[i].geometry.rank() == 0)
      raise(ErrorClass::shape, text("zero-dimensional tensor (at position ", i, ") cannot be concatenated"));
  for (const Tensor& tensor : joining.tensors) {
    const bool empty = element_count(sizes_of(tensor.geometry)) == 0;
    joining.skips.push_back(cat_skips<Concrete>(judge, empty, tensor.geometry.rank()).v);
  }
  for (std::size_t i = 0; i < joining.tensors.size(); ++i) {
    if (joining.skips[i]) continue;
    joining.dim = wrapped_dim(judge, dim, static_cast<std::size_t>(joining.tensors[i].geometry.rank()));
    break;
  }
  return joining;
}

Dtype joined_dtype(const Judge& judge, const Joining& joining) {
  Choice<Concrete, Dtype> dtype = joining.tensors.front().dtype;
  for (const Tensor& tensor : joining.tensors) dtype = promoted<Concrete>(judge, dtype, tensor.dtype);
  return static_cast<Dtype>(dtype.v);
}

Fresh joined(const State& state, const Joining& joining, Dtype dtype, Tape* tape) {
  if (!joining.any()) return {{0}, {1}, dtype, {}};
  const auto dim = static_cast<std::size_t>(joining.dim);
  std::optional<Sizes> first;
  std::int64_t extent = 0;
  for (std::size_t i = 0; i < joining.tensors.size(); ++i) {
    if (joining.skips[i]) continue;
    const Sizes sizes = sizes_of(joining.tensors[i].geometry);
    if (!first) first = sizes;
    if (sizes.size() != first->size())
      raise(ErrorClass::shape,
            text("Tensors must have same number of dimensions: got ", first->size(), " and ", sizes.size()));
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (d != dim && sizes[d] != (*first)[d])
        raise(ErrorClass::shape,
              text("Sizes of tensors must match except in dimension ", dim, ". Expected size ", (*first)[d],
                   " but got size ", sizes[d], " for tensor number ", i, " in the list."));
    extent += sizes[dim];
  }
  Sizes sizes = *first;
  sizes[dim] = extent;
  std::vector<Element> elements(static_cast<std::size_t>(element_count(sizes)));
  const Sizes steps = row_major(sizes);
  std::int64_t start = 0;
  for (std::size_t i = 0; i < joining.tensors.size(); ++i) {
    if (joining.skips[i]) continue;
    const Tensor& tensor = joining.tensors[i];
    const std::vector<Element> from = elements_of(state, tensor);
    const std::vector<std::int64_t> targets =
        places_of(geometry_of(sizes_of(tensor.geometry), steps, start * steps[dim]));
    for (std::size_t e = 0; e < from.size(); ++e)
      elements[static_cast<std::size_t>(targets[e])] = converted(from[e], tensor.dtype, dtype, tape);
    start += tensor.geometry.sizes[static_cast<int>(dim)].v;
  }
  return {sizes, joined_strides(joining.tensors, sizes), dtype, std::move(elements)};
}

std::span<const KernelEntry> join_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::cat, cat}, KernelEntry{OpId::stack, stack}};
  return entries;
}

}  // namespace plumbline::reference
