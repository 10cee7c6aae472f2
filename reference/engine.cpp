// One run of backward: nodes in the engine's order, and the values of `.grad`.
#include "reference/engine.h"

#include <algorithm>
#include <array>
#include <limits>

#include "reference/call.h"
#include "reference/custom_function.h"
#include "reference/devices.h"
#include "reference/formula.h"
#include "reference/hooks.h"
#include "reference/memory.h"
#include "reference/passed_gradient.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_create_graph.h"
#include "spec/rules/aut_fallback.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::reference {

namespace {

using Elements = std::vector<Element>;

/// Which edge of PyTorch's node an input is: arguments that are never differentiated have none.
std::size_t edge_number(const Node& node, std::size_t input) {
  if (node.kind != Node::Kind::op) return input;
  std::size_t edges = 0;
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    const auto* list = std::get_if<std::vector<Slot>>(&node.values[i]);
    const auto* slot = std::get_if<Slot>(&node.values[i]);
    if (!has_derivative_by(op(node.op).arguments[i])) continue;
    const bool here = (slot != nullptr && static_cast<std::size_t>(*slot) == input);
    if (here) return edges;
    if (list != nullptr && !list->empty() && static_cast<std::size_t>(list->front()) <= input)
      return edges + input - static_cast<std::size_t>(list->front());
    const bool tensor = slot != nullptr || op(node.op).arguments[i].type == ArgType::Tensor;
    edges += list != nullptr ? list->size() : tensor ? 1 : 0;
  }
  return input;
}

constexpr NodeId kDueAtOnce = std::numeric_limits<NodeId>::max();

}  // namespace

Engine::Engine(const Judge& judge, State& state, GraphUse graph, Chosen chosen)
    : judge_(judge),
      state_(state),
      chosen_(std::move(chosen)),
      gradients_(judge, state),
      creates_(graph.create),
      free_layout_(graph.free_layout),
      frees_(frees_saved<Concrete>(judge, graph.retain).v),
      taken_(chosen_.returned ? chosen_.edges.size() : 0, kNoTensor) {}

Backend Engine::device_of(const Place& place, std::size_t output) const {
  if (place.first == kNoNode) return at(state_, place.second).device;
  const auto& outputs = node_at(place.first).outputs;
  return output < outputs.size() ? outputs[output].device : test_device(state_);
}

Carried Engine::first_gradient(From& from) {
  Carried first{std::move(from.gradient)};
  const Restored place(state_.makes_on);
  state_.makes_on = from.tensor.device;
  const Sizes sizes = sizes_of(from.tensor.geometry);
  // torch.ones_like, which preserves the layout [torch/autograd/__init__.py, _make_grads].
  const Sizes strides = dense_strides(sizes, strides_of(from.tensor.geometry));
  const TensorId held = from.given ? *from.given : gradients_.fresh(sizes, from.tensor.dtype, first.elements, strides);
  gradients_.hold(held);
  // The tensor may have been resized after it was recorded.
  const Edge& edge = from.edge;
  const Sizes wanted =
      edge.node == kNoNode ? sizes : node_at(edge.node).outputs[static_cast<std::size_t>(edge.output)].sizes;
  if (sizes_of(at(state_, held).geometry) == wanted && at(state_, held).dtype == from.tensor.dtype &&
      at(state_, held).device == from.tensor.device)
    first.tensor = held;
  else if (creates_)
    first.tensor = fitted_tensor(judge_, state_, held, wanted, from.tensor.dtype, from.tensor.device);
  return first;
}

void Engine::run(std::vector<From> starts) {
  std::vector<Carried> gradients;
  for (From& from : starts) {
    ++waits_for_[place_of(from.edge)];
    count(from.edge);
    gradients.push_back(first_gradient(from));
  }
  const Restored tls(state_.tls);
  state_.tls.grad_mode = backward_grad_mode<Concrete>(judge_, creates_);
  const Edge& first = starts.front().edge;
  const std::size_t output = first.node == kNoNode ? 0 : static_cast<std::size_t>(first.output);
  // PyTorch 2.13 calls these hooks if it is the only tensor; no rule says so yet. retain_grad() is a hook there.
  const bool retained = first.node != kNoNode && node_at(first.node).outputs[output].retained != kNoTensor;
  const bool hooked = !hooks_of(place_of(first), output).empty() || (retained && judge_.profile == Profile::torch_2_13);
  if (starts.size() == 1 && !takes_part(place_of(first)) && hooked)
    throw ReferenceLimit("a hook of the tensor where backward starts, if no chosen tensor is reached from it");
  for (std::size_t i = 0; i < starts.size(); ++i) give(starts[i].edge, starts[i].tensor.dtype, std::move(gradients[i]));
  while (!ready_.empty()) {
    std::ranges::pop_heap(ready_, {}, &Ready::due);
    const Ready next = ready_.back();
    ready_.pop_back();
    if (next.place.first != kNoNode)
      reach(next.place, gradients_.taken(next.place.first));
    else
      reach_leaf(next.place.second);
  }
}

void Engine::count(const Edge& edge) {
  if (edge.node == kNoNode || !seen_.insert(edge.node).second) return;
  const Node& node = node_at(edge.node);
  for (const Node::Input& input : node.inputs) {
    if (!input.edge.goes()) continue;
    ++waits_for_[place_of(input.edge)];
    count(input.edge);
  }
}

bool Engine::is_chosen(const Place& place) const {
  return std::ranges::any_of(chosen_.edges, [&](const Edge& edge) { return edge.goes() && place_of(edge) == place; });
}

bool Engine::leads_on(NodeId node) {
  const auto known = leads_.find(node);
  if (known != leads_.end()) return known->second;
  bool leads = false;
  for (const Node::Input& input : node_at(node).inputs) {
    if (!input.edge.goes()) continue;
    if (is_chosen(place_of(input.edge)) || (input.edge.node != kNoNode && leads_on(input.edge.node))) leads = true;
  }
  leads_[node] = leads;
  return leads;
}

void Engine::give(const Edge& edge, Dtype from, Carried gradient) {
  if (!takes_part(place_of(edge))) return;
  if (edge.node != kNoNode) {
    const auto& outputs = node_at(edge.node).outputs;
    const Dtype dtype = outputs[static_cast<std::size_t>(edge.output)].dtype;
    gradients_.arrives(edge, outputs.size(), dtype, from, std::move(gradient));
  } else {
    gradients_.arrives(edge, 1, at(state_, edge.leaf).dtype, from, std::move(gradient));
  }
  arrived(edge);
}

void Engine::arrived(const Edge& edge) {
  if (!takes_part(place_of(edge))) return;
  const auto waits = waits_for_.find(place_of(edge));
  if (waits != waits_for_.end() && --waits->second > 0) return;
  const bool is_leaf = edge.node == kNoNode;
  if (is_leaf && !gradients_.waits_at_leaf(edge.leaf) && !hooked_without_gradient(edge.leaf)) return;
  const bool at_once = is_leaf || node_is_due<Concrete>(judge_, lacks_derivative(judge_, node_at(edge.node))).v;
  ready_.push_back({place_of(edge), at_once ? kDueAtOnce : edge.node});
  std::ranges::push_heap(ready_, {}, &Ready::due);
}

void Engine::take(const Place& place, std::vector<std::optional<Carried>>& gradients) {
  if (!chosen_.returned) return;
  for (std::size_t i = 0; i < chosen_.edges.size(); ++i) {
    const Edge& edge = chosen_.edges[i];
    const std::size_t output = edge.node == kNoNode ? 0 : static_cast<std::size_t>(edge.output);
    if (!edge.goes() || place_of(edge) != place || output >= gradients.size() || !gradients[output]) continue;
    Carried& gradient = *gradients[output];
    show(place, output, gradient);
    gradients_.hold(gradient.tensor);
    taken_[i] = gradient.tensor;
  }
}

void Engine::show(const Place& place, std::size_t output, Carried& gradient) {
  if (gradient.tensor != kNoTensor) return;
  const Restored device(state_.makes_on);
  state_.makes_on = device_of(place, output);
  if (!gradient.laid_out && !free_layout_)
    throw ReferenceLimit("a gradient whose strides the reference does not know is observed");
  if (place.first == kNoNode) {
    const Tensor& leaf = at(state_, place.second);
    gradient.tensor = gradients_.tensor_of(gradient, sizes_of(leaf.geometry), leaf.dtype);
  } else {
    const Node::Output& made = node_at(place.first).outputs[output];
    gradient.tensor = gradients_.tensor_of(gradient, Sizes(made.sizes), made.dtype);
  }
}

void Engine::check_sizes(TensorId leaf) const {
  const Sizes sizes = sizes_of(at(state_, leaf).geometry);
  for (const Node& node : state_.nodes)
    for (const Node::Input& input : node.inputs)
      if (input.edge.leaf == leaf && (sizes_of(input.geometry) != sizes || input.device != at(state_, leaf).device))
        throw ReferenceLimit("backward() to a leaf whose sizes or device have changed since it was used");
}

void Engine::reach_leaf(TensorId leaf) {
  const Place place{kNoNode, leaf};
  if (is_chosen(place)) check_sizes(leaf);
  std::vector<std::optional<Carried>> gradients(1);
  gradients.front() = gradients_.taken_by_leaf(leaf);
  reach(place, std::move(gradients));
}

void Engine::check_device(const Node& node, std::size_t input, const Tensor& gradient) const {
  const Node::Input& recorded = node.inputs[input];
  const Backend there = device_of(place_of(recorded.edge), static_cast<std::size_t>(recorded.edge.output));
  if (gradient.device != there && sizes_of(gradient.geometry) != sizes_of(recorded.geometry))
    throw ReferenceLimit("a gradient of other sizes on another device");
  check_gradient_device(judge_, "…", edge_number(node, input), gradient, there);
}

void Engine::apply(NodeId id, const std::vector<std::optional<Carried>>& arrived_here) {
  const Restored device(state_.makes_on);
  state_.makes_on = device_of({id, kNoTensor}, 0);
  const bool any = std::ranges::any_of(arrived_here, [](const auto& one) { return one.has_value(); });
  const bool custom = node_at(id).kind == Node::Kind::custom;
  const bool recorded = any && state_.tls.grad_mode.v;
  if (recorded && !custom) return apply_recorded(id, arrived_here);
  std::vector<Gradient> given;
  std::vector<TensorId> tensors;
  for (const auto& one : arrived_here) {
    given.push_back(one ? Gradient(gradients_.elements(*one)) : std::nullopt);
    tensors.push_back(one ? one->tensor : kNoTensor);
  }
  std::vector<Gradient> gradients;
  const bool runs = custom ? custom_backward_runs<Concrete>(judge_, any).v : any;
  if (!runs) look_at_saved(judge_, state_, id);
  if (runs)
    gradients =
        input_gradients(judge_, state_, id, given, custom || node_at(id).by_schema != nullptr ? &tensors : nullptr);
  const Node node = node_at(id);
  if (node.mapping)
    forget_passed(node, tensors);
  else if (any && !custom)
    tensors = passed_on(id, node, arrived_here);
  if (frees_) free(id);
  if (recorded) return give_all(id, tensors);
  const auto& inputs = node.inputs;
  gradients.resize(inputs.size());
  tensors.resize(inputs.size(), kNoTensor);
  if (node.kind == Node::Kind::op && node.op == OpId::as_strided_scatter) see_source(gradients, tensors);
  // The derivatives of as_strided and of as_strided_scatter's first argument return views of memory that they made,
  // which the reference does not make; it does not know the derivative of an op by schema.
  const bool strided =
      node.kind == Node::Kind::view_of_base || node.by_schema != nullptr || node.mapping.has_value() ||
      (node.kind == Node::Kind::op &&
       (node.op == OpId::as_strided || node.op == OpId::as_strided_copy || node.op == OpId::as_strided_scatter));
  const bool plain = !strided && std::ranges::all_of(arrived_here, [&](const auto& one) {
    return !one || gradients_.is_plain(*one);
  }) && std::ranges::all_of(inputs, [](const Node::Input& input) { return is_plain(input.geometry); });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].edge.goes()) continue;
    if (gradients[i] && tensors[i] != kNoTensor) check_device(node, i, at(state_, tensors[i]));
    std::optional<Sizes> strides = node.mapping ? std::nullopt : computed_strides(node, i);
    const bool by_columns = strides && !strides->empty();
    if (gradients[i] && by_columns && !is_scaled(node)) tensors[i] = turned(inputs[i], *gradients[i]);
    if (gradients[i] && tensors[i] == kNoTensor && plain) tensors[i] = parts_view(node, i, *gradients[i]);
    if (gradients[i] && !node.mapping && adds_dimensions(node, i)) tensors[i] = summed_view(node, i, *gradients[i]);
    if (!strides && !node.mapping && !arrived_here.empty()) strides = copied_strides(node, i, arrived_here.front());
    if (gradients[i])
      give(inputs[i].edge, inputs[i].dtype,
           as_recorded(inputs[i], edge_number(node, i),
                       {std::move(*gradients[i]), tensors[i], strides.value_or(Sizes()), strides || plain}));
    else
      arrived(inputs[i].edge);
  }
}

// PyTorch passes on the gradient of a view, and a leaf that stores it shows whose memory it has.
void Engine::forget_passed(const Node& node, std::vector<TensorId>& tensors) const {
  const bool view = node.kind == Node::Kind::op && op(node.op).kind == OpKind::View;
  for (const TensorId one : tensors)
    if (view && one != kNoTensor)
      throw ReferenceLimit("a tensor of the program as the gradient of a view in a mapped body");
  std::ranges::fill(tensors, kNoTensor);
}

void Engine::apply_recorded(NodeId id, const std::vector<std::optional<Carried>>& arrived_here) {
  const Node node = node_at(id);
  if (node.saves()) check_freed(judge_, node);
  std::vector<TensorId> given;
  for (std::size_t k = 0; k < arrived_here.size(); ++k)
    given.push_back(arrived_here[k]
                        ? gradients_.tensor_of(*arrived_here[k], node.outputs[k].sizes, node.outputs[k].dtype)
                        : kNoTensor);
  std::vector<bool> wanted;
  for (const Node::Input& input : node.inputs) wanted.push_back(input.edge.goes() && takes_part(place_of(input.edge)));
  std::vector<TensorId> gradients(wanted.size(), kNoTensor);
  if (node.kind == Node::Kind::op) {
    check_derivative(judge_, node);
    gradients = formula_gradients(judge_, state_, id, given, wanted);
  } else if (gives_gradient<Concrete>(judge_, node.kind == Node::Kind::fallback).v) {
    throw ReferenceLimit("create_graph=True through a view whose base was written");
  }
  if (frees_) free(id);
  give_all(id, gradients);
}

void Engine::give_all(NodeId id, const std::vector<TensorId>& gradients) {
  const std::vector<Node::Input> inputs = node_at(id).inputs;
  std::vector<std::optional<TensorId>> fit(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Edge& edge = inputs[i].edge;
    if (!edge.goes() || i >= gradients.size() || gradients[i] == kNoTensor) continue;
    const bool to_leaf = edge.node == kNoNode;
    const Tensor gradient = at(state_, gradients[i]);
    const Node::Output* output = to_leaf ? nullptr : &node_at(edge.node).outputs[static_cast<std::size_t>(edge.output)];
    const Sizes sizes = to_leaf ? sizes_of(inputs[i].geometry) : output->sizes;
    (void)fitted(judge_, "…", edge_number(node_at(id), i), gradient, elements_of(state_, gradient),
                 sizes);  // raises if it does not fit
    const Backend there = to_leaf ? at(state_, edge.leaf).device : output->device;
    check_gradient_device(judge_, "…", edge_number(node_at(id), i), gradient, there);
    fit[i] = fitted_tensor(judge_, state_, gradients[i], sizes, to_leaf ? inputs[i].dtype : output->dtype, there);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].edge.goes()) continue;
    if (fit[i])
      give(inputs[i].edge, at(state_, *fit[i]).dtype, {{}, *fit[i]});
    else
      arrived(inputs[i].edge);
  }
}

void Engine::free(NodeId id) {
  Node& node = state_.nodes[static_cast<std::size_t>(id)];
  node.freed = true;
  if (node.function != kNoNode) free(node.function);
}

}  // namespace plumbline::reference
