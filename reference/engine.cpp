// One run of backward: nodes in the engine's order, and the values of `.grad`.
#include "reference/engine.h"

#include <algorithm>
#include <limits>

#include "reference/call.h"
#include "reference/hooks.h"
#include "reference/passed_gradient.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/aut_hooks.h"
#include "spec/rules/aut_inputs.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::reference {

namespace {

using Elements = std::vector<Element>;

constexpr NodeId kDueAtOnce = std::numeric_limits<NodeId>::max();

/// A leaf gets gradients of the sizes that it had when it was first used, which the reference does not keep.
void check_sizes(const State& state, TensorId leaf) {
  const Sizes sizes = sizes_of(state.tensors[static_cast<std::size_t>(leaf)].geometry);
  for (const Node& node : state.nodes)
    for (const Node::Input& input : node.inputs)
      if (input.edge.leaf == leaf && sizes_of(input.geometry) != sizes)
        throw ReferenceLimit("backward() to a leaf whose sizes have changed since it was used");
}

}  // namespace

Engine::Engine(const Judge& judge, State& state, bool retain_graph, Chosen chosen)
    : judge_(judge),
      state_(state),
      chosen_(std::move(chosen)),
      gradients_(judge, state),
      frees_(frees_saved<Concrete>(judge, retain_graph).v),
      taken_(chosen_.returned ? chosen_.edges.size() : 0, kNoTensor) {}

Carried Engine::first_gradient(From& from) {
  Carried first{std::move(from.gradient)};
  const Sizes sizes = sizes_of(from.tensor.geometry);
  const TensorId held = from.given ? *from.given : gradients_.fresh(sizes, from.tensor.dtype, first.elements);
  gradients_.hold(held);
  // The tensor may have been resized after it was recorded.
  const Edge& edge = from.edge;
  const Sizes wanted =
      edge.node == kNoNode ? sizes : node_at(edge.node).outputs[static_cast<std::size_t>(edge.output)].sizes;
  if (sizes_of(at(state_, held).geometry) == wanted && at(state_, held).dtype == from.tensor.dtype) first.tensor = held;
  return first;
}

void Engine::run(std::vector<From> starts) {
  std::vector<Carried> gradients;
  for (From& from : starts) {
    ++waits_for_[place_of(from.edge)];
    count(from.edge);
    gradients.push_back(first_gradient(from));
  }
  const Edge& first = starts.front().edge;
  const std::size_t output = first.node == kNoNode ? 0 : static_cast<std::size_t>(first.output);
  // PyTorch 2.13 calls these hooks if it is the only tensor; no rule says so yet.
  if (starts.size() == 1 && !takes_part(place_of(first)) && !hooks_of(place_of(first), output).empty())
    throw ReferenceLimit("a hook of the tensor where backward starts, if no chosen tensor is reached from it");
  for (std::size_t i = 0; i < starts.size(); ++i) give(starts[i].edge, starts[i].tensor.dtype, std::move(gradients[i]));
  while (!ready_.empty()) {
    std::ranges::pop_heap(ready_, {}, &Ready::due);
    const Ready next = ready_.back();
    ready_.pop_back();
    if (next.place.first != kNoNode)
      go_back(next.place.first);
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

bool Engine::takes_part(const Place& place) {
  if (chosen_.all || is_chosen(place)) return true;
  return node_runs<Concrete>(judge_, place.first != kNoNode && leads_on(place.first)).v;
}

bool Engine::runs(const Place& place) {
  const bool chosen = !chosen_.all && is_chosen(place);
  if (chosen_.all || (chosen && !chosen_.returned)) return true;
  if (node_runs<Concrete>(judge_, place.first != kNoNode && leads_on(place.first)).v) return true;
  return chosen && returned_gradient_fills_grad(judge_).v;
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
  if (is_leaf && !gradients_.waits_at_leaf(edge.leaf)) return;
  const bool at_once = is_leaf || (missing_derivative_is_due(judge_).v && lacks_derivative(judge_, node_at(edge.node)));
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
  if (!gradient.laid_out) throw ReferenceLimit("a gradient whose strides the reference does not know is observed");
  if (place.first == kNoNode) {
    const Tensor& leaf = at(state_, place.second);
    gradient.tensor = gradients_.tensor_of(gradient, sizes_of(leaf.geometry), leaf.dtype);
  } else {
    const Node::Output& made = node_at(place.first).outputs[output];
    gradient.tensor = gradients_.tensor_of(gradient, Sizes(made.sizes), made.dtype);
  }
}

std::vector<std::int32_t> Engine::hooks_of(const Place& place, std::size_t output) const {
  if (place.first != kNoNode) return hooks_of_output(state_, place.first, static_cast<std::int32_t>(output));
  std::vector<std::int32_t> hooks = hooks_of_leaf(state_, place.second);
  if (!hooks.empty() && !leaf_calls_hooks<Concrete>(judge_, requires_grad_of(judge_, state_, place.second)).v)
    hooks.clear();
  return hooks;
}

/// [torch/csrc/autograd/engine.cpp, call_tensor_pre_hooks]
void Engine::call_hooks(const Place& place, std::vector<std::optional<Carried>>& gradients) {
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    std::vector<std::int32_t> hooks = hooks_of(place, i);
    if (hooks.empty()) continue;
    if (!gradients[i]) throw ReferenceLimit("a hook of a tensor that gets no gradient");
    if (place.first == kNoNode) check_sizes(state_, place.second);
    if (!first_hook_is_first(judge_).v) std::ranges::reverse(hooks);
    Carried& gradient = *gradients[i];
    show(place, i, gradient);
    for (const std::int32_t hook : hooks) {
      if (place.first != kNoNode && !retained_comes_last(judge_).v) {
        const auto& before = node_at(place.first).outputs[i].before_retained;
        if (std::ranges::find(before, hook) == before.end())
          retain(place.first, i, Gradient(gradients_.elements(gradient)));
      }
      const TensorId left = call_hook(judge_, state_, hook, gradient.tensor);
      gradient = {elements_of(state_, at(state_, left)), left};
    }
  }
}

/// [torch/csrc/autograd/engine.cpp, evaluate_function]
void Engine::prepare(const Place& place, std::vector<std::optional<Carried>>& gradients, bool goes_on) {
  bool hooked = false;
  for (std::size_t i = 0; i < gradients.size() && !hooked; ++i) hooked = !hooks_of(place, i).empty();
  const bool calls = hooked && (goes_on || taken_is_hooked(judge_).v);
  const bool taken_before = calls && goes_on && !passed_is_taken_after_hooks(judge_).v;
  if (taken_before) take(place, gradients);
  if (calls && hook_comes_before(judge_).v) call_hooks(place, gradients);
  if (place.first != kNoNode && (goes_on || taken_is_retained(judge_).v))
    for (std::size_t i = 0; i < gradients.size(); ++i)
      retain(place.first, i, gradients[i] ? Gradient(gradients_.elements(*gradients[i])) : std::nullopt);
  if (!taken_before) take(place, gradients);
}

void Engine::reach_leaf(TensorId leaf) {
  std::vector<std::optional<Carried>> gradients{gradients_.taken_by_leaf(leaf)};
  const Place place{kNoNode, leaf};
  if (is_chosen(place)) check_sizes(state_, leaf);
  prepare(place, gradients, runs(place));
  if (runs(place)) accumulate(leaf, *gradients.front());
  if (!hook_comes_before(judge_).v) call_hooks(place, gradients);
}

void Engine::go_back(NodeId id) {
  std::vector<std::optional<Carried>> arrived_here = gradients_.taken(id);
  const Place place{id, kNoTensor};
  const bool goes_on = runs(place);
  prepare(place, arrived_here, goes_on);
  if (goes_on) apply(id, arrived_here);
  if (!hook_comes_before(judge_).v) call_hooks(place, arrived_here);
}

void Engine::apply(NodeId id, const std::vector<std::optional<Carried>>& arrived_here) {
  std::vector<Gradient> given;
  std::vector<TensorId> tensors;
  for (const auto& one : arrived_here) {
    given.push_back(one ? Gradient(gradients_.elements(*one)) : std::nullopt);
    tensors.push_back(one ? one->tensor : kNoTensor);
  }
  std::vector<Gradient> gradients;
  const bool any = std::ranges::any_of(given, [](const Gradient& gradient) { return gradient.has_value(); });
  const bool custom = node_at(id).kind == Node::Kind::custom;
  const bool runs = any || (custom && custom_runs_without_gradient(judge_).v);
  if (!runs) look_at_saved(judge_, state_, id);
  if (runs) gradients = input_gradients(judge_, state_, id, given, custom ? &tensors : nullptr);
  const Node node = node_at(id);
  if (any && !custom) tensors = passed_on(node, arrived_here);
  if (frees_) free(id);
  const auto& inputs = node.inputs;
  gradients.resize(inputs.size());
  tensors.resize(inputs.size(), kNoTensor);
  if (node.kind == Node::Kind::op && node.op == OpId::as_strided_scatter) see_source(gradients, tensors);
  // as_strided's derivative returns a view of memory that it made, which the reference does not make.
  const bool strided =
      node.kind == Node::Kind::view_of_base ||
      (node.kind == Node::Kind::op && (node.op == OpId::as_strided || node.op == OpId::as_strided_copy));
  const bool plain = !strided && std::ranges::all_of(arrived_here, [&](const auto& one) {
    return !one || gradients_.is_plain(*one);
  }) && std::ranges::all_of(inputs, [](const Node::Input& input) { return is_plain(input.geometry); });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].edge.goes()) continue;
    const std::optional<Sizes> strides = computed_strides(node, i);
    if (gradients[i])
      give(inputs[i].edge, inputs[i].dtype,
           as_recorded(inputs[i], {std::move(*gradients[i]), tensors[i], strides.value_or(Sizes()), strides || plain}));
    else
      arrived(inputs[i].edge);
  }
}

/// as_strided_scatter's window sees the gradient's memory, whatever the result's strides were (AUT-59). Where the
/// window has a place twice, the gradient of src stays unspecified.
void Engine::see_source(std::vector<Gradient>& gradients, const std::vector<TensorId>& tensors) const {
  constexpr std::size_t kSource = 1;
  if (tensors[kSource] == kNoTensor || !gradients[kSource]) return;
  const std::vector<Element> seen = elements_of(state_, at(state_, tensors[kSource]));
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (Element& element = (*gradients[kSource])[i]; element.known) element = seen[i];
}

/// The tensors of the gradients of an op's inputs, if its derivative passes its gradient on as the same tensor or a
/// view.
std::vector<TensorId> Engine::passed_on(const Node& node, const std::vector<std::optional<Carried>>& given) {
  std::vector<TensorId> tensors(node.inputs.size(), kNoTensor);
  if (node.kind != Node::Kind::op || given.size() != 1) return tensors;
  const TensorId gradient = gradients_.tensor_of(*given[0], node.outputs[0].sizes, node.outputs[0].dtype);
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i].edge.goes()) tensors[i] = passed_gradient(judge_, state_, node, i, gradient).value_or(kNoTensor);
  return tensors;
}

/// The gradient in the sizes that its tensor had when it was recorded; its data may have been exchanged since then.
Carried Engine::as_recorded(const Node::Input& input, Carried gradient) const {
  if (gradient.tensor != kNoTensor) {
    const Tensor& tensor = at(state_, gradient.tensor);
    if (tensor.dtype != input.dtype || sizes_of(tensor.geometry) != sizes_of(input.geometry)) {
      gradient.laid_out = is_plain(tensor.geometry);
      gradient.tensor = kNoTensor;
    }
  }
  if (input.edge.node == kNoNode) return gradient;
  const auto& output = node_at(input.edge.node).outputs[static_cast<std::size_t>(input.edge.output)];
  if (sizes_of(input.geometry) == output.sizes) return gradient;
  Tensor given;
  given.geometry = input.geometry;
  given.dtype = input.dtype;
  const bool plain = gradients_.is_plain(gradient);
  return {*fitted(judge_, "…", 0, given, std::move(gradient.elements), output.sizes), kNoTensor, {}, plain};
}

void Engine::free(NodeId id) {
  Node& node = state_.nodes[static_cast<std::size_t>(id)];
  node.freed = true;
  if (node.function != kNoNode) free(node.function);
}

/// retain_grad(): `.grad` of a tensor that is not a leaf, in the sizes that the tensor had when it was recorded.
void Engine::retain(NodeId id, std::size_t output, const Gradient& gradient) {
  if (!retained_.emplace(id, output).second) return;
  const auto& recorded = node_at(id).outputs[output];
  TensorId tensor = recorded.retained;
  if (tensor == kNoTensor && fills_grad<Concrete>(judge_, false).v) tensor = result_of(id, output);
  if (!gradient && tensor != kNoTensor && missing_gradient_fails(judge_).v)
    throw ReferenceLimit("backward() that gives no gradient to a tensor with retain_grad()");
  if (tensor == kNoTensor || (!gradient && !missing_gradient_is_zero(judge_).v)) return;
  const Sizes sizes = recorded.sizes;
  const Dtype dtype = recorded.dtype;
  Elements sum = gradient ? *gradient : Elements(static_cast<std::size_t>(element_count(sizes)));
  const TensorId before = at(state_, tensor).grad;
  if (before != kNoTensor) {
    if (sizes_of(at(state_, before).geometry) != sizes)
      throw ReferenceLimit("a retained gradient that is added to a gradient of other sizes");
    const Elements old = elements_of(state_, at(state_, before));
    const Arithmetic in(dtype);
    for (std::size_t i = 0; i < sum.size() && i < old.size(); ++i) sum[i] = in.add(old[i], sum[i]);
  }
  at(state_, tensor).grad = gradients_.fresh(sizes, dtype, std::move(sum));
}

TensorId Engine::result_of(NodeId id, std::size_t output) const {
  for (std::size_t i = 0; i < state_.tensors.size(); ++i)
    if (state_.tensors[i].node == id && state_.tensors[i].output == static_cast<std::int32_t>(output))
      return static_cast<TensorId>(i);
  return kNoTensor;
}

/// [torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad::accumulateGrad]
void Engine::accumulate(TensorId leaf, const Carried& gradient) {
  ask_history(judge_, state_, leaf);
  const Tensor tensor = at(state_, leaf);
  raise_class(static_cast<ErrorClass>(check_still_leaf(judge_, tensor.meta.has_grad_fn).v));
  if (!leaf_takes_gradient<Concrete>(judge_, requires_grad_of(judge_, state_, leaf)).v) return;
  check_sizes(state_, leaf);
  if (tensor.grad == kNoTensor || !backward_accumulates(judge_).v)
    at(state_, leaf).grad = made_for(tensor, gradient);
  else
    add_in_place(tensor, gradient);
}

/// A new `.grad`: the gradient that arrives, or a copy of it.
TensorId Engine::made_for(const Tensor& leaf, const Carried& gradient) {
  const bool fits = gradient.tensor != kNoTensor &&
                    obeys_layout_contract(at(state_, gradient.tensor).geometry, leaf.geometry) &&
                    !gradients_.is_held(gradient.tensor);
  const Bool<Concrete> mode = state_.tls.inference_mode;
  const Bool<Concrete> arrived =
      fits ? plumbline::is_inference(judge_, at(state_, gradient.tensor).meta, state_.tls) : mode;
  const Bool<Concrete> inference = gradient_is_inference<Concrete>(judge_, mode, arrived, fits);
  const bool stored = gradient_is_stored<Concrete>(judge_, fits).v;
  if (stored && (inference == arrived).v) return dispatch_on(judge_, state_, OpId::detach, {{gradient.tensor}}).front();
  const Sizes sizes = sizes_of(leaf.geometry);
  const Sizes wanted = strides_of(leaf.geometry);
  Sizes strides = is_dense(sizes, wanted) ? wanted : Sizes{};
  if (gradient.tensor == kNoTensor && gradient.laid_out && gradient_is_stored<Concrete>(judge_, true).v) {
    const Sizes own = gradient.strides.empty() ? row_major(sizes) : gradient.strides;  // those of a size of 1 are free
    if (obeys_layout_contract(geometry_of(sizes, own), leaf.geometry)) strides = own;
  }
  const Restored tls(state_.tls);
  state_.tls.inference_mode = inference;
  const TensorId made = gradients_.fresh(sizes, leaf.dtype, gradients_.elements(gradient), strides);
  if (stored) {  // only one of the two rules holds
    at(state_, made).storage = at(state_, gradient.tensor).storage;
    at(state_, made).geometry = at(state_, gradient.tensor).geometry;
  }
  return made;
}

/// An existing gradient is written in place, as `grad += new` with grad mode off.
void Engine::add_in_place(const Tensor& leaf, const Carried& gradient) {
  const Restored tls(state_.tls);
  const TensorId added = gradient.tensor != kNoTensor
                             ? gradient.tensor
                             : gradients_.fresh(sizes_of(leaf.geometry), leaf.dtype, gradients_.elements(gradient));
  state_.tls.grad_mode = false;
  dispatch_on(judge_, state_, OpId::add__Tensor, {{leaf.grad, added}}, {std::int64_t{1}});
}

}  // namespace plumbline::reference
