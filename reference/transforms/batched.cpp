// Tensors that have examples.
#include "reference/transforms/batched.h"

#include <algorithm>

#include "reference/memory.h"

namespace plumbline::reference::transforms {

std::int64_t rank(const State& state, TensorId tensor) {
  return std::ssize(sizes_of(state.tensors[static_cast<std::size_t>(tensor)].geometry));
}

TensorId add_batched(State& state, std::size_t level, const Batched& batched) {
  Tensor seen = at(state, batched.value);
  Sizes sizes = sizes_of(seen.geometry), strides = strides_of(seen.geometry);
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(batched.dim));
  strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(batched.dim));
  seen.geometry = geometry_of(sizes, strides, seen.geometry.offset.v);
  seen.base = kNoTensor;
  seen.meta.tracked = false;
  state.tensors.push_back(std::move(seen));
  const auto made = static_cast<TensorId>(state.tensors.size()) - 1;
  state.levels[level].tensors[made] = batched;
  return made;
}

std::optional<std::size_t> level_of(const State& state, TensorId tensor) {
  for (std::size_t level = state.levels.size(); level-- > 0;)
    if (state.levels[level].tensors.contains(tensor)) return level;
  return std::nullopt;
}

Whole whole_of(const State& state, TensorId tensor) {
  const auto level = level_of(state, tensor);
  if (!level) return {tensor, {}, {}};
  const Batched& batched = state.levels[*level].tensors.at(tensor);
  Whole whole = whole_of(state, batched.value);
  // batched.dim counts the dimensions that are no axis of an outer level
  std::vector<std::size_t> axes;
  for (const auto& [outer, dim] : whole.dims) axes.push_back(dim);
  std::ranges::sort(axes);
  std::size_t dim = batched.dim;
  for (const std::size_t axis : axes)
    if (axis <= dim) ++dim;
  whole.dims[*level] = dim;
  if (batched.assumed) whole.assumed.insert(*level);
  return whole;
}

TensorId seen(State& state, const Whole& whole) {
  TensorId tensor = whole.tensor;
  std::vector<std::size_t> axes;
  for (const auto& [level, dim] : whole.dims) {
    const std::ptrdiff_t before = std::ranges::count_if(axes, [&](std::size_t axis) { return axis < dim; });
    tensor = add_batched(state, level, {tensor, dim - static_cast<std::size_t>(before), whole.assumed.contains(level)});
    axes.push_back(dim);
  }
  return tensor;
}

TensorId seen_at(State& state, const std::set<std::size_t>& levels, TensorId tensor,
                 const std::set<std::size_t>& assumed) {
  for (const std::size_t level : levels) tensor = add_batched(state, level, {tensor, 0, assumed.contains(level)});
  return tensor;
}

}  // namespace plumbline::reference::transforms
