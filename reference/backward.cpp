// One run of backward: nodes in the engine's order, and the values of `.grad`.
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "reference/call.h"
#include "reference/carried_gradients.h"
#include "reference/graph.h"
#include "reference/passed_gradient.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::reference {

namespace {

using Elements = std::vector<Element>;

/// A leaf gets gradients of the sizes that it had when it was first used, which the reference does not keep.
void check_sizes(const State& state, TensorId leaf) {
  const Sizes sizes = sizes_of(state.tensors[static_cast<std::size_t>(leaf)].geometry);
  for (const Node& node : state.nodes)
    for (const Node::Input& input : node.inputs)
      if (input.edge.leaf == leaf && sizes_of(input.geometry) != sizes)
        throw ReferenceLimit("backward() to a leaf whose sizes have changed since it was used");
}

/// The work left, in the engine's order: leaves first, then the node that was recorded last
/// [torch/csrc/autograd/engine.cpp, ReadyQueue, CompareNodeTaskTime].
class Engine {
 public:
  Engine(const Judge& judge, State& state, bool retain_graph)
      : judge_(judge), state_(state), gradients_(judge, state), frees_(frees_saved<Concrete>(judge, retain_graph).v) {}

  /// `given`: the tensor of the first gradient, if it has one.
  void run(const Edge& root, const Tensor& tensor, Elements gradient, std::optional<TensorId> given) {
    count(root);
    Carried first{std::move(gradient)};
    const Sizes sizes = sizes_of(tensor.geometry);
    const TensorId held = given ? *given : gradients_.fresh(sizes, tensor.dtype, first.elements);
    gradients_.hold(held);
    // The tensor may have been resized after it was recorded.
    const Sizes wanted =
        root.node == kNoNode
            ? sizes
            : state_.nodes[static_cast<std::size_t>(root.node)].outputs[static_cast<std::size_t>(root.output)].sizes;
    if (sizes_of(at(state_, held).geometry) == wanted && at(state_, held).dtype == tensor.dtype) first.tensor = held;
    give(root, tensor.dtype, std::move(first));
    while (!ready_.empty()) {
      std::ranges::pop_heap(ready_, {}, &Ready::due);
      const Ready next = ready_.back();
      ready_.pop_back();
      if (next.place.first != kNoNode)
        go_back(next.place.first);
      else
        accumulate(next.place.second, *gradients_.taken_by_leaf(next.place.second));
    }
  }

 private:
  using Place = std::pair<NodeId, TensorId>;  ///< a node, or a leaf
  struct Ready {
    Place place;
    NodeId due;  ///< the largest comes first
  };
  static constexpr NodeId kDueAtOnce = std::numeric_limits<NodeId>::max();
  static Place place_of(const Edge& edge) { return {edge.node, edge.leaf}; }

  /// Counts how many edges lead to each node and leaf.
  void count(const Edge& edge) {
    if (edge.node == kNoNode || !seen_.insert(edge.node).second) return;
    const Node& node = state_.nodes[static_cast<std::size_t>(edge.node)];
    for (const Node::Input& input : node.inputs) {
      if (!input.edge.goes()) continue;
      ++waits_for_[place_of(input.edge)];
      count(input.edge);
    }
  }

  void give(const Edge& edge, Dtype from, Carried gradient) {
    if (edge.node != kNoNode) {
      const auto& outputs = state_.nodes[static_cast<std::size_t>(edge.node)].outputs;
      const Dtype dtype = outputs[static_cast<std::size_t>(edge.output)].dtype;
      gradients_.arrives(edge, outputs.size(), dtype, from, std::move(gradient));
    } else {
      gradients_.arrives(edge, 1, at(state_, edge.leaf).dtype, from, std::move(gradient));
    }
    arrived(edge);
  }

  /// One of the edges that lead here is done, with or without a gradient.
  void arrived(const Edge& edge) {
    const auto waits = waits_for_.find(place_of(edge));
    if (waits != waits_for_.end() && --waits->second > 0) return;
    const bool is_leaf = edge.node == kNoNode;
    if (is_leaf && !gradients_.waits_at_leaf(edge.leaf)) return;
    const bool at_once = is_leaf || (missing_derivative_is_due(judge_).v &&
                                     lacks_derivative(judge_, state_.nodes[static_cast<std::size_t>(edge.node)]));
    ready_.push_back({place_of(edge), at_once ? kDueAtOnce : edge.node});
    std::ranges::push_heap(ready_, {}, &Ready::due);
  }

  void go_back(NodeId id) {
    std::vector<std::optional<Carried>> arrived_here = gradients_.taken(id);
    std::vector<Gradient> given;
    std::vector<TensorId> tensors;
    for (const auto& one : arrived_here) {
      given.push_back(one ? Gradient(gradients_.elements(*one)) : std::nullopt);
      tensors.push_back(one ? one->tensor : kNoTensor);
    }
    for (std::size_t i = 0; i < given.size(); ++i) retain(id, i, given[i]);
    std::vector<Gradient> gradients;
    const bool any = std::ranges::any_of(given, [](const Gradient& gradient) { return gradient.has_value(); });
    const bool custom = state_.nodes[static_cast<std::size_t>(id)].kind == Node::Kind::custom;
    const bool runs = any || (custom && custom_runs_without_gradient(judge_).v);
    if (!runs) look_at_saved(judge_, state_, id);
    if (runs) gradients = input_gradients(judge_, state_, id, given, custom ? &tensors : nullptr);
    const Node node = state_.nodes[static_cast<std::size_t>(id)];
    if (any && !custom) tensors = passed_on(node, arrived_here);
    if (frees_) free(id);
    const auto& inputs = node.inputs;
    gradients.resize(inputs.size());
    tensors.resize(inputs.size(), kNoTensor);
    if (node.kind == Node::Kind::op && node.op == OpId::as_strided_scatter) see_source(gradients, tensors);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].edge.goes()) continue;
      if (gradients[i])
        give(inputs[i].edge, inputs[i].dtype,
             as_recorded(inputs[i], {std::move(*gradients[i]), tensors[i], computed_strides(node, i)}));
      else
        arrived(inputs[i].edge);
    }
  }

  /// as_strided_scatter's window sees the gradient's memory, whatever the result's strides were (AUT-59). Where the
  /// window has a place twice, the gradient of src stays unspecified.
  void see_source(std::vector<Gradient>& gradients, const std::vector<TensorId>& tensors) const {
    constexpr std::size_t kSource = 1;
    if (tensors[kSource] == kNoTensor || !gradients[kSource]) return;
    const std::vector<Element> seen = elements_of(state_, at(state_, tensors[kSource]));
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (Element& element = (*gradients[kSource])[i]; element.known) element = seen[i];
  }

  /// The tensors of the gradients of an op's inputs, if its derivative passes its gradient on as the same tensor or a
  /// view.
  std::vector<TensorId> passed_on(const Node& node, const std::vector<std::optional<Carried>>& given) {
    std::vector<TensorId> tensors(node.inputs.size(), kNoTensor);
    if (node.kind != Node::Kind::op || given.size() != 1) return tensors;
    const TensorId gradient = gradients_.tensor_of(*given[0], node.outputs[0].sizes, node.outputs[0].dtype);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i].edge.goes())
        tensors[i] = passed_gradient(judge_, state_, node, i, gradient).value_or(kNoTensor);
    return tensors;
  }

  /// The gradient in the sizes that its tensor had when it was recorded; its data may have been exchanged since then.
  Carried as_recorded(const Node::Input& input, Carried gradient) const {
    if (gradient.tensor != kNoTensor) {
      const Tensor& tensor = at(state_, gradient.tensor);
      if (tensor.dtype != input.dtype || sizes_of(tensor.geometry) != sizes_of(input.geometry))
        gradient.tensor = kNoTensor;
    }
    if (input.edge.node == kNoNode) return gradient;
    const auto& output =
        state_.nodes[static_cast<std::size_t>(input.edge.node)].outputs[static_cast<std::size_t>(input.edge.output)];
    if (sizes_of(input.geometry) == output.sizes) return gradient;
    Tensor given;
    given.geometry = input.geometry;
    given.dtype = input.dtype;
    return {*fitted(judge_, "…", 0, given, std::move(gradient.elements), output.sizes)};
  }

  void free(NodeId id) {
    Node& node = state_.nodes[static_cast<std::size_t>(id)];
    node.freed = true;
    if (node.function != kNoNode) free(node.function);
  }

  /// retain_grad(): `.grad` of a tensor that is not a leaf, in the sizes that the tensor had when it was recorded.
  void retain(NodeId id, std::size_t output, const Gradient& gradient) {
    const auto& recorded = state_.nodes[static_cast<std::size_t>(id)].outputs[output];
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

  /// The tensor that is this output of a node.
  TensorId result_of(NodeId id, std::size_t output) const {
    for (std::size_t i = 0; i < state_.tensors.size(); ++i)
      if (state_.tensors[i].node == id && state_.tensors[i].output == static_cast<std::int32_t>(output))
        return static_cast<TensorId>(i);
    return kNoTensor;
  }

  /// [torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad::accumulateGrad]
  void accumulate(TensorId leaf, const Carried& gradient) {
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
  TensorId made_for(const Tensor& leaf, const Carried& gradient) {
    const bool fits = gradient.tensor != kNoTensor &&
                      obeys_layout_contract(at(state_, gradient.tensor).geometry, leaf.geometry) &&
                      !gradients_.is_held(gradient.tensor);
    const Bool<Concrete> mode = state_.tls.inference_mode;
    const Bool<Concrete> arrived =
        fits ? plumbline::is_inference(judge_, at(state_, gradient.tensor).meta, state_.tls) : mode;
    const Bool<Concrete> inference = gradient_is_inference<Concrete>(judge_, mode, arrived, fits);
    const bool stored = gradient_is_stored<Concrete>(judge_, fits).v;
    if (stored && (inference == arrived).v)
      return dispatch_on(judge_, state_, OpId::detach, {{gradient.tensor}}).front();
    const Sizes sizes = sizes_of(leaf.geometry);
    const Sizes strides = strides_of(leaf.geometry);
    const Restored tls(state_.tls);
    state_.tls.inference_mode = inference;
    const TensorId made = gradients_.fresh(sizes, leaf.dtype, gradients_.elements(gradient),
                                           is_dense(sizes, strides) ? strides : Sizes{});
    if (stored) {  // only one of the two rules holds
      at(state_, made).storage = at(state_, gradient.tensor).storage;
      at(state_, made).geometry = at(state_, gradient.tensor).geometry;
    }
    return made;
  }

  /// An existing gradient is written in place, as `grad += new` with grad mode off.
  void add_in_place(const Tensor& leaf, const Carried& gradient) {
    const Restored tls(state_.tls);
    const TensorId added = gradient.tensor != kNoTensor
                               ? gradient.tensor
                               : gradients_.fresh(sizes_of(leaf.geometry), leaf.dtype, gradients_.elements(gradient));
    state_.tls.grad_mode = false;
    dispatch_on(judge_, state_, OpId::add__Tensor, {{leaf.grad, added}}, {std::int64_t{1}});
  }

  const Judge& judge_;
  State& state_;
  CarriedGradients gradients_;
  bool frees_;
  std::set<NodeId> seen_;
  std::map<Place, int> waits_for_;
  std::vector<Ready> ready_;  ///< a heap, as in the engine: its order of equals is seen
};

/// The gradient that backward starts from [torch/autograd/__init__.py, _make_grads].
std::optional<Elements> first_gradient(const Judge& judge, State& state, TensorId root, std::optional<TensorId> given) {
  const Tensor& tensor = at(state, root);
  const Sizes sizes = sizes_of(tensor.geometry);
  if (given) {
    const Tensor& gradient = at(state, *given);
    const Sizes own = sizes_of(gradient.geometry);
    const auto error = static_cast<ErrorClass>(check_given_gradient<Concrete>(judge, own == sizes).v);
    if (error != ErrorClass::none)
      raise(error, text("Mismatch in shape: grad_output[0] has a shape of torch.Size(", printed(own),
                        ") and output[0] has a shape of torch.Size(", printed(sizes), ")."));
    Elements elements;
    Tensor stretched = gradient;
    stretched.geometry = broadcast_to(gradient.geometry, broadcast_sizes(judge, own, sizes));
    for (const Element& element : elements_of(state, stretched))
      elements.push_back(converted(element, gradient.dtype, tensor.dtype));
    return elements;
  }
  if (!requires_grad_of(judge, state, root)) return std::nullopt;
  raise_class(static_cast<ErrorClass>(check_implicit_gradient<Concrete>(judge, element_count(sizes)).v));
  return Elements(static_cast<std::size_t>(element_count(sizes)), Element{.real = 1, .integer = 1});
}

}  // namespace

Gradient fitted(const Judge& judge, const std::string& function, std::size_t index, const Tensor& gradient,
                std::vector<Element> elements, const Sizes& wanted) {
  const Sizes own = sizes_of(gradient.geometry);
  const bool same = own == wanted;
  bool expandable = own.size() >= wanted.size();
  for (std::size_t i = 1; expandable && i <= wanted.size(); ++i) {
    const std::int64_t size = wanted[wanted.size() - i];
    expandable = size == 1 || size == own[own.size() - i];
  }
  const auto error = static_cast<ErrorClass>(check_expandable<Concrete>(judge, same, expandable).v);
  if (error != ErrorClass::none)
    raise(error, text(function.empty() ? "" : "Function " + function + " returned an ", "invalid gradient at index ",
                      index, " - got ", printed(own), " but expected shape compatible with ", printed(wanted)));
  if (same) return elements;
  const Arithmetic in(gradient.dtype);
  std::vector<std::vector<Element>> terms(static_cast<std::size_t>(element_count(wanted)));
  const auto places = places_of(broadcast_to(geometry_of(wanted, row_major(wanted)), own));
  for (std::size_t i = 0; i < elements.size(); ++i) terms[static_cast<std::size_t>(places[i])].push_back(elements[i]);
  std::vector<Element> sums;
  for (const auto& group : terms) sums.push_back(in.sum(group));
  return sums;
}

void run_backward(const Judge& judge, State& state, TensorId root, std::optional<TensorId> given, bool retain_graph) {
  const std::optional<Elements> gradient = first_gradient(judge, state, root, given);
  raise_class(static_cast<ErrorClass>(check_backward<Concrete>(judge, requires_grad_of(judge, state, root)).v));
  if (!gradient) return;
  const Edge edge = gradient_edge(judge, state, root);
  if (!edge.goes()) {
    // A view of a leaf made while grad mode was off requires grad with its base, and has no graph.
    raise_class(ErrorClass::no_graph);
  }
  std::vector<Element> elements = *gradient;
  if (edge.node != kNoNode) {  // the tensor may have been resized after it was recorded
    const auto& output =
        state.nodes[static_cast<std::size_t>(edge.node)].outputs[static_cast<std::size_t>(edge.output)];
    elements = *fitted(judge, "", 0, at(state, root), std::move(elements), output.sizes);
  }
  State before = state;
  try {
    const Restored tls(state.tls);
    state.tls.grad_mode = false;
    const Tensor tensor = at(state, root);
    Engine(judge, state, retain_graph).run(edge, tensor, elements, given);
  } catch (const Raise&) {
    if (failed_backward_changes_nothing(judge).v) state = std::move(before);
    throw;
  }
}

}  // namespace plumbline::reference
