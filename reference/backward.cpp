// One run of backward: nodes in the order in which the engine takes them, and what `.grad` becomes.
#include <map>
#include <set>

#include "reference/call.h"
#include "reference/gradient_memory.h"
#include "reference/graph.h"
#include "reference/raise.h"
#include "spec/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::reference {

namespace {

using Elements = std::vector<Element>;

/// A leaf gets gradients of the sizes that it had when it was first used, of which the reference knows no more.
void check_sizes(const State& state, TensorId leaf) {
  const Sizes sizes = sizes_of(state.tensors[static_cast<std::size_t>(leaf)].geometry);
  for (const Node& node : state.nodes)
    for (const Node::Input& input : node.inputs)
      if (input.edge.leaf == leaf && sizes_of(input.geometry) != sizes)
        throw ReferenceLimit("backward() to a leaf that has other sizes than when it was used");
}

/// What is still to be done, as the engine orders it: leaves first, then the node that was recorded last
/// [torch/csrc/autograd/engine.cpp, ReadyQueue, CompareNodeTaskTime].
class Engine {
 public:
  Engine(const Judge& judge, State& state, bool retain_graph)
      : judge_(judge), state_(state), frees_(frees_saved<Concrete>(judge, retain_graph).v) {}

  /// `given`: the tensor that holds the first gradient, if one does.
  void run(const Edge& root, Dtype dtype, Elements gradient, std::optional<TensorId> given) {
    count(root);
    if (given) memory_.hold({0, false}, *given);
    give(root, dtype, std::move(gradient), {0, false});
    for (;;) {
      if (!ready_leaves_.empty()) {
        const TensorId leaf = *ready_leaves_.begin();
        ready_leaves_.erase(leaf);
        accumulate(leaf, *leaf_sums_.at(leaf));
      } else if (!ready_nodes_.empty()) {
        const NodeId node = *ready_nodes_.rbegin();
        ready_nodes_.erase(node);
        go_back(node);
      } else {
        break;
      }
    }
    if (through_views_ && (given || filled_.size() > 1))
      for (const TensorId leaf : filled_) at(state_, leaf).grad_shared = true;
  }

 private:
  using Place = GradientMemory::Place;
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

  void give(const Edge& edge, Dtype dtype, Elements gradient, GradientMemory::Piece piece) {
    memory_.arrives(place_of(edge), piece);
    if (edge.node != kNoNode) {
      auto& buffers = buffers_[edge.node];
      const auto& outputs = state_.nodes[static_cast<std::size_t>(edge.node)].outputs;
      buffers.resize(std::max(buffers.size(), outputs.size()));
      add(buffers[static_cast<std::size_t>(edge.output)], outputs[static_cast<std::size_t>(edge.output)].dtype, dtype,
          std::move(gradient));
    } else {
      add(leaf_sums_[edge.leaf], at(state_, edge.leaf).dtype, dtype, std::move(gradient));
    }
    arrived(edge);
  }

  static void add(Gradient& sum, Dtype to, Dtype from, Elements gradient) {
    for (Element& element : gradient) element = converted(element, from, to);
    if (!sum) {
      sum = std::move(gradient);
      return;
    }
    const Arithmetic in(to);
    for (std::size_t i = 0; i < gradient.size() && i < sum->size(); ++i) (*sum)[i] = in.add((*sum)[i], gradient[i]);
  }

  /// One of the edges that lead here is done, with a gradient or without.
  void arrived(const Edge& edge) {
    const auto waits = waits_for_.find(place_of(edge));
    if (waits != waits_for_.end() && --waits->second > 0) return;
    if (edge.node != kNoNode)
      ready_nodes_.insert(edge.node);
    else if (leaf_sums_.contains(edge.leaf))
      ready_leaves_.insert(edge.leaf);
  }

  void go_back(NodeId id) {
    const std::vector<Gradient> given = buffers_[id];
    for (std::size_t i = 0; i < given.size(); ++i) retain(id, i, given[i]);
    std::vector<Gradient> gradients;
    const bool any = std::ranges::any_of(given, [](const Gradient& gradient) { return gradient.has_value(); });
    if (any) gradients = input_gradients(judge_, state_, id, given);
    if (frees_) free(id);
    const Node::Kind kind = state_.nodes[static_cast<std::size_t>(id)].kind;
    const OpId op = state_.nodes[static_cast<std::size_t>(id)].op;
    through_views_ = through_views_ || kind != Node::Kind::op || GradientMemory::may_give_view(op);
    const auto piece = memory_.passed({id, kNoTensor}, kind == Node::Kind::op && GradientMemory::gives_view(op));
    const auto inputs = state_.nodes[static_cast<std::size_t>(id)].inputs;
    gradients.resize(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].edge.goes()) continue;
      if (gradients[i])
        give(inputs[i].edge, inputs[i].dtype, as_recorded(inputs[i], std::move(*gradients[i])), piece);
      else
        arrived(inputs[i].edge);
    }
  }

  /// The gradient in the sizes that its tensor had when it was recorded: its data may have been exchanged since.
  Elements as_recorded(const Node::Input& input, Elements gradient) const {
    if (input.edge.node == kNoNode) return gradient;
    const auto& outputs = state_.nodes[static_cast<std::size_t>(input.edge.node)].outputs;
    Tensor given;
    given.geometry = input.geometry;
    given.dtype = input.dtype;
    return *fitted(judge_, "…", 0, given, std::move(gradient),
                   outputs[static_cast<std::size_t>(input.edge.output)].sizes);
  }

  void free(NodeId id) {
    Node& node = state_.nodes[static_cast<std::size_t>(id)];
    node.freed = true;
    if (node.function != kNoNode) free(node.function);
  }

  /// retain_grad(): `.grad` of a tensor that is no leaf, in the sizes that the tensor had when it was recorded.
  void retain(NodeId id, std::size_t output, const Gradient& gradient) {
    const auto& recorded = state_.nodes[static_cast<std::size_t>(id)].outputs[output];
    TensorId tensor = recorded.retained;
    if (tensor == kNoTensor && fills_grad<Concrete>(judge_, false).v) tensor = result_of(id, output);
    if (!gradient && tensor != kNoTensor && missing_gradient_fails(judge_).v)
      throw ReferenceLimit("backward() past a retained gradient that it does not reach");
    if (tensor == kNoTensor || (!gradient && !missing_gradient_is_zero(judge_).v)) return;
    const Sizes sizes = recorded.sizes;
    const Dtype dtype = recorded.dtype;
    Elements sum = gradient ? *gradient : Elements(static_cast<std::size_t>(element_count(sizes)));
    const TensorId before = at(state_, tensor).grad;
    if (before != kNoTensor) {
      if (sizes_of(at(state_, before).geometry) != sizes)
        throw ReferenceLimit("a retained gradient that is added to one of other sizes");
      const Elements old = elements_of(state_, at(state_, before));
      const Arithmetic in(dtype);
      for (std::size_t i = 0; i < sum.size() && i < old.size(); ++i) sum[i] = in.add(old[i], sum[i]);
    }
    at(state_, tensor).grad = fresh_gradient(sizes, dtype, std::move(sum));
  }

  /// The tensor that is this output of a node.
  TensorId result_of(NodeId id, std::size_t output) const {
    for (std::size_t i = 0; i < state_.tensors.size(); ++i)
      if (state_.tensors[i].node == id && state_.tensors[i].output == static_cast<std::int32_t>(output))
        return static_cast<TensorId>(i);
    return kNoTensor;
  }

  TensorId fresh_gradient(const Sizes& sizes, Dtype dtype, Elements elements, const Sizes& strides = {}) {
    Fresh fresh{sizes, strides.size() == sizes.size() ? strides : row_major(sizes), dtype, std::move(elements)};
    const TensorId made = make_tensor(judge_, state_, std::move(fresh), false);
    Tensor& gradient = at(state_, made);
    if (!gradient_counted<Concrete>(judge_, gradient.counter >= 0).v) gradient.counter = -1;
    gradient.meta.counted = gradient.counter >= 0;
    if (gradient.counter >= 0) state_.counters[static_cast<std::size_t>(gradient.counter)].free_by = &VER_17;
    return made;
  }

  /// [torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad::accumulateGrad]
  void accumulate(TensorId leaf, const Elements& gradient) {
    ask_history(judge_, state_, leaf);
    const Tensor tensor = at(state_, leaf);
    raise_class(static_cast<ErrorClass>(check_still_leaf(judge_, tensor.meta.has_grad_fn).v));
    if (!leaf_takes_gradient<Concrete>(judge_, requires_grad_of(judge_, state_, leaf)).v) return;
    const Sizes sizes = sizes_of(tensor.geometry);
    check_sizes(state_, leaf);
    if (tensor.grad == kNoTensor || !backward_accumulates(judge_).v) {
      const Sizes strides = strides_of(tensor.geometry);
      const TensorId made = fresh_gradient(sizes, tensor.dtype, gradient, is_dense(sizes, strides) ? strides : Sizes{});
      at(state_, leaf).grad = made;
      filled_.push_back(leaf);
      memory_.take(judge_, state_, {kNoNode, leaf}, made);
      return;
    }
    add_in_place(tensor.grad, sizes, tensor.dtype, gradient);
  }

  /// A gradient that is there is written in place, as `grad += new` with grad mode off.
  void add_in_place(TensorId grad, const Sizes& sizes, Dtype dtype, const Elements& gradient) {
    const Restored tls(state_.tls);
    const TensorId added = fresh_gradient(sizes, dtype, gradient);
    state_.tls.grad_mode = false;
    dispatch_on(judge_, state_, OpId::add__Tensor, {{grad, added}}, {std::int64_t{1}});
  }

  const Judge& judge_;
  State& state_;
  bool frees_;
  std::set<NodeId> seen_;
  std::map<Place, int> waits_for_;
  std::map<NodeId, std::vector<Gradient>> buffers_;
  std::map<TensorId, Gradient> leaf_sums_;
  GradientMemory memory_;
  std::vector<TensorId> filled_;  ///< the leaves that have a new `.grad`
  bool through_views_ = false;
  std::set<NodeId> ready_nodes_;
  std::set<TensorId> ready_leaves_;
};

/// The gradient that backward begins with [torch/autograd/__init__.py, _make_grads].
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
  if (edge.node != kNoNode) {  // the tensor may have been resized since it was recorded
    const auto& output =
        state.nodes[static_cast<std::size_t>(edge.node)].outputs[static_cast<std::size_t>(edge.output)];
    elements = *fitted(judge, "", 0, at(state, root), std::move(elements), output.sizes);
  }
  State before = state;
  try {
    const Restored tls(state.tls);
    state.tls.grad_mode = false;
    Engine(judge, state, retain_graph).run(edge, at(state, root).dtype, elements, given);
  } catch (const Raise&) {
    if (failed_backward_changes_nothing(judge).v) state = std::move(before);
    throw;
  }
}

}  // namespace plumbline::reference
