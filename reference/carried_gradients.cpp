// The gradients in flight in one backward: their elements, and their tensor if it matters which one it is.
#include "reference/carried_gradients.h"

#include <algorithm>
#include <array>

#include "reference/call.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_create_graph.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/ver.h"

namespace plumbline::reference {

using Elements = std::vector<Element>;

namespace {

bool all_zero(const Sizes& strides) {
  return std::ranges::all_of(strides, [](std::int64_t stride) { return stride == 0; });
}

}  // namespace

bool is_plain(const Geometry& geometry) {
  const Sizes strides = strides_of(geometry);
  return is_row_major(sizes_of(geometry), strides) || all_zero(strides);
}

bool CarriedGradients::is_plain(const Carried& gradient) const {
  if (gradient.tensor != kNoTensor) return reference::is_plain(at(state_, gradient.tensor).geometry);
  return gradient.laid_out && all_zero(gradient.strides);  // row-major if there are none
}

TensorId CarriedGradients::fresh(const Sizes& sizes, Dtype dtype, Elements elements, const Sizes& strides) {
  Fresh fresh{sizes, strides.size() == sizes.size() ? strides : row_major(sizes), dtype, std::move(elements)};
  const TensorId made = make_tensor(judge_, state_, std::move(fresh), false);
  Tensor& gradient = at(state_, made);
  if (!gradient_counted<Concrete>(judge_, gradient.counter >= 0).v) gradient.counter = -1;
  gradient.meta.counted = gradient.counter >= 0;
  if (gradient.counter >= 0) state_.counters[static_cast<std::size_t>(gradient.counter)].free_by = &VER_17;
  return made;
}

Sizes converted_strides(const Geometry& gradient) { return dense_strides(sizes_of(gradient), strides_of(gradient)); }

Elements CarriedGradients::elements(const Carried& gradient) const {
  return gradient.tensor != kNoTensor ? elements_of(state_, at(state_, gradient.tensor)) : gradient.elements;
}

TensorId CarriedGradients::tensor_of(const Carried& gradient, const Sizes& sizes, Dtype dtype) {
  return gradient.tensor != kNoTensor ? gradient.tensor : fresh(sizes, dtype, gradient.elements, gradient.strides);
}

void CarriedGradients::arrives(const Edge& edge, std::size_t outputs, Dtype dtype, Dtype from, Carried gradient) {
  if (is_complex(from) && !is_complex(dtype))
    throw ReferenceLimit("a complex gradient that is given for a real tensor");
  if (from != dtype) {
    gradient.elements = elements(gradient);
    if (gradient.tensor != kNoTensor) {
      gradient.strides = converted_strides(at(state_, gradient.tensor).geometry);
      gradient.laid_out = true;
    }
    gradient.tensor = kNoTensor;
    for (Element& element : gradient.elements) element = converted(element, from, dtype);
  }
  if (state_.two_devices && gradient.tensor != kNoTensor) move_to_edge(edge, gradient);
  if (edge.node == kNoNode) return add(leaves_[edge.leaf], dtype, std::move(gradient));
  auto& waiting = nodes_[edge.node];
  waiting.resize(std::max(waiting.size(), outputs));
  add(waiting[static_cast<std::size_t>(edge.output)], dtype, std::move(gradient));
}

void CarriedGradients::move_to_edge(const Edge& edge, Carried& gradient) const {
  const Backend there =
      edge.node == kNoNode
          ? at(state_, edge.leaf).device
          : state_.nodes[static_cast<std::size_t>(edge.node)].outputs[static_cast<std::size_t>(edge.output)].device;
  const Tensor& tensor = at(state_, gradient.tensor);
  if (tensor.device == there) return;
  gradient.elements = elements(gradient);
  gradient.strides = converted_strides(tensor.geometry);
  gradient.laid_out = true;
  gradient.tensor = kNoTensor;
}

void CarriedGradients::add(std::optional<Carried>& sum, Dtype dtype, Carried gradient) {
  if (!sum) {
    sum = std::move(gradient);
    return;
  }
  if (sum->tensor != kNoTensor && gradient.tensor != kNoTensor && sum_is_recorded<Concrete>(judge_, state_.tls).v) {
    const std::array both{sum->tensor, gradient.tensor};
    *sum = {{}, dispatch_on(judge_, state_, OpId::add_Tensor, both, {std::int64_t{1}}).front()};
    return;
  }
  Elements total = elements(*sum);
  const Elements added = elements(gradient);
  const Arithmetic in(dtype);
  for (std::size_t i = 0; i < total.size() && i < added.size(); ++i) total[i] = in.add(total[i], added[i]);
  const bool alone = sum->tensor != kNoTensor && may_be_written(sum->tensor, gradient.tensor);
  if (sum_is_written<Concrete>(judge_, alone).v) {
    const Restored device(state_.makes_on);
    state_.makes_on = at(state_, sum->tensor).device;
    const TensorId other = tensor_of(gradient, sizes_of(at(state_, sum->tensor).geometry), dtype);
    dispatch_on(judge_, state_, OpId::add__Tensor, {{sum->tensor, other}}, {std::int64_t{1}});
  } else {
    const bool alike = sum->tensor == kNoTensor && gradient.tensor == kNoTensor && sum->strides == gradient.strides;
    sum->laid_out = (is_plain(*sum) && is_plain(gradient)) || (alike && sum->laid_out && gradient.laid_out);
    sum->tensor = kNoTensor;
    if (sum->strides != gradient.strides) sum->strides.clear();
  }
  sum->elements = std::move(total);
}

std::vector<std::optional<Carried>> CarriedGradients::taken(NodeId node) {
  std::vector<std::optional<Carried>> waiting = std::move(nodes_[node]);
  nodes_.erase(node);
  return waiting;
}

std::optional<Carried> CarriedGradients::taken_by_leaf(TensorId leaf) {
  std::optional<Carried> waiting = std::move(leaves_[leaf]);
  leaves_.erase(leaf);
  return waiting;
}

std::vector<TensorId> CarriedGradients::holders() const {
  std::vector<TensorId> all = held_;
  all.insert(all.end(), state_.slots.begin(), state_.slots.end());
  for (const Tensor& tensor : state_.tensors) all.push_back(tensor.grad);
  for (const auto& [node, waiting] : nodes_)
    for (const auto& one : waiting)
      if (one) all.push_back(one->tensor);
  for (const auto& [leaf, one] : leaves_)
    if (one) all.push_back(one->tensor);
  // A view holds its base.
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != kNoTensor && at(state_, all[i]).base != kNoTensor) all.push_back(at(state_, all[i]).base);
  return all;
}

bool CarriedGradients::is_held(TensorId tensor) const {
  const std::vector<TensorId> all = holders();
  if (std::ranges::find(all, tensor) != all.end()) return true;
  for (const Node& node : state_.nodes)
    for (const SavedTensor& saved : node.saved)
      if (saved.tensor == tensor && (!node.freed || !saved.original))
        throw ReferenceLimit("backward() of a custom function that returns a saved tensor to which no variable refers");
  return false;
}

bool CarriedGradients::may_be_written(TensorId tensor, TensorId added) const {
  const Tensor& sum = at(state_, tensor);
  if (!is_dense(sizes_of(sum.geometry), strides_of(sum.geometry))) return false;
  std::vector<TensorId> all = holders();  // one of them is the place where it waits
  all.push_back(added);
  return std::ranges::count_if(
             all, [&](TensorId one) { return one != kNoTensor && at(state_, one).storage == sum.storage; }) == 1;
}

}  // namespace plumbline::reference
