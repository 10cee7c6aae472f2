// The node of a mapped op, for one example.
#include "reference/transforms/examples.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "reference/call.h"
#include "reference/memory.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::transforms {

namespace {

/// Without these dimensions.
Sizes without(const Sizes& of, const Mapping::Dims& dims) {
  Sizes left;
  for (std::size_t i = 0; i < of.size(); ++i)
    if (std::ranges::find(dims, std::optional(i)) == dims.end()) left.push_back(of[i]);
  return left;
}

}  // namespace

Examples::Examples(State& state, const Node& node)
    : state_(state),
      node_(node),
      levels_(std::exchange(state.levels, {})),
      differentiated_(std::exchange(state.differentiated, {})) {
  for (const std::int64_t size : node.mapping->sizes) state.levels.push_back({size, Randomness::same, {}});
}

void Examples::end() {
  if (std::exchange(ended_, true)) return;
  state_.levels = std::move(levels_);
  state_.differentiated = std::move(differentiated_);
}

const Mapping::Dims* Examples::dims_of_input(std::size_t number) const {
  const auto found = node_.mapping->dims.find(static_cast<Slot>(number));
  return found == node_.mapping->dims.end() ? nullptr : &found->second;
}

/// Of what is written, where that has its examples; otherwise they are in the first dimensions.
Mapping::Dims Examples::output_dims() const {
  if (const int place = written_argument(op(node_.op)); place >= 0)
    if (const auto* slot = std::get_if<Slot>(&node_.values.at(static_cast<std::size_t>(place))))
      if (const Mapping::Dims* dims = dims_of_input(static_cast<std::size_t>(*slot))) return *dims;
  Mapping::Dims dims;
  for (std::size_t axis = 0; axis < node_.mapping->sizes.size(); ++axis) dims.emplace_back(axis);
  return dims;
}

Node Examples::node() const {
  Node one = node_;
  one.mapping.reset();
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const Mapping::Dims* dims = dims_of_input(i);
    if (dims == nullptr) continue;
    Geometry& geometry = one.inputs[i].geometry;
    geometry = geometry_of(without(sizes_of(geometry), *dims), without(strides_of(geometry), *dims), geometry.offset.v);
  }
  for (Node::Output& output : one.outputs) output.sizes = without(output.sizes, output_dims());
  return one;
}

Whole Examples::with_dims(TensorId whole, const Mapping::Dims* dims) const {
  Whole all{whole, {}, {}};
  for (std::size_t axis = 0; dims != nullptr && axis < dims->size(); ++axis)
    if (const auto& dim = (*dims)[axis]) all.dims[axis] = *dim;
  return all;
}

TensorId Examples::of_input(std::size_t number, TensorId whole) const {
  return seen(state_, with_dims(whole, dims_of_input(number)));
}

TensorId Examples::of_output(TensorId whole) const {
  const Mapping::Dims dims = output_dims();
  return seen(state_, with_dims(whole, &dims));
}

TensorId Examples::gradient(const Judge& judge, std::size_t number, const Whole& of_one) const {
  const Whole input = with_dims(kNoTensor, dims_of_input(number));
  const auto rank = static_cast<std::size_t>(transforms::rank(state_, of_one.tensor));
  const auto call = [&](TensorId tensor, OpId id, std::vector<Value> more) {
    return dispatch_on(judge, state_, id, std::array{tensor}, std::move(more)).front();
  };
  TensorId made = of_one.tensor;
  Sizes summed, order;                        // the axes of which the input has no examples, and the others in front
  std::vector<std::size_t> axes;              // which those are
  std::vector<std::size_t> of_example(rank);  // the dimensions of an example
  std::iota(of_example.begin(), of_example.end(), std::size_t{0});
  for (const auto& [axis, dim] : of_one.dims) {
    std::erase(of_example, dim);
    if (input.dims.contains(axis)) {
      axes.push_back(axis);
      order.push_back(static_cast<std::int64_t>(dim));
    } else {
      summed.push_back(static_cast<std::int64_t>(dim));
    }
  }
  order.insert(order.end(), of_example.begin(), of_example.end());
  if (!summed.empty()) made = call(made, OpId::sum_dim_IntList, {summed, false, None{}});
  for (std::int64_t& dim : order) dim -= std::ranges::count_if(summed, [&](std::int64_t gone) { return gone < dim; });
  // Now where each dimension of the input comes from; one without examples of an axis is the same for all.
  Sizes sizes;
  for (const std::int64_t dim : order)
    sizes.push_back(sizes_of(at(state_, made).geometry).at(static_cast<std::size_t>(dim)));
  if (!std::ranges::is_sorted(order)) made = call(made, OpId::permute, {order});
  for (const auto& [axis, dim] : input.dims) {
    if (of_one.dims.contains(axis)) continue;
    made = call(made, OpId::unsqueeze, {std::int64_t{0}});
    sizes.insert(sizes.begin(), node_.mapping->sizes.at(axis));
    made = call(made, OpId::expand, {sizes, false});
    axes.insert(axes.begin(), axis);
  }
  Sizes places(sizes.size(), -1);  // by dimension of the input, that of `made`
  for (std::size_t i = 0; i < axes.size(); ++i) places[input.dims.at(axes[i])] = static_cast<std::int64_t>(i);
  auto next = static_cast<std::int64_t>(axes.size());
  for (std::int64_t& place : places)
    if (place < 0) place = next++;
  return std::ranges::is_sorted(places) ? made : call(made, OpId::permute, {places});
}

}  // namespace plumbline::reference::transforms
