// One run of backward: nodes in the engine's order, and the gradients that they give.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reference/call.h"
#include "reference/carried_gradients.h"
#include "reference/graph.h"

namespace plumbline::reference {

/// The tensors whose gradients are asked for.
struct Chosen {
  std::vector<Edge> edges = {};  ///< where their gradients arrive; an edge that goes nowhere gets none
  bool all = true;               ///< no tensor was chosen: every leaf gets its gradient
  bool returned = false;         ///< the gradients are returned, and no `.grad` is filled with them
};

/// The work left, in the engine's order: leaves first, then the node that was recorded last
/// [torch/csrc/autograd/engine.cpp, ReadyQueue, CompareNodeTaskTime].
class Engine {
 public:
  Engine(const Judge& judge, State& state, GraphUse graph, Chosen chosen);

  /// Where it starts.
  struct From {
    Edge edge;
    Tensor tensor;  ///< whose edge it is
    std::vector<Element> gradient;
    std::optional<TensorId> given;  ///< the tensor of the gradient, if it has one
  };
  /// Goes back from all of them. Raises what a node raises.
  void run(std::vector<From> starts);
  /// The returned gradient of each chosen edge; kNoTensor: none arrived.
  const std::vector<TensorId>& returned() const { return taken_; }

 private:
  using Place = std::pair<NodeId, TensorId>;  ///< a node, or a leaf
  struct Ready {
    Place place;
    NodeId due;  ///< the largest comes first
  };
  static Place place_of(const Edge& edge) { return {edge.node, edge.leaf}; }

  const Node& node_at(NodeId id) const { return state_.nodes[static_cast<std::size_t>(id)]; }
  /// Counts how many edges lead to each node and leaf.
  void count(const Edge& edge);
  /// Whether an edge leads from the place to a chosen one, or whether it is one itself [engine.cpp, init_to_execute].
  bool leads_on(NodeId node);
  bool is_chosen(const Place& place) const;
  /// Whether gradients are taken to the place.
  bool takes_part(const Place& place);

  /// The device of the gradients that arrive there.
  Backend device_of(const Place& place, std::size_t output) const;
  /// Raises if the gradient of an input may not come from its device.
  void check_device(const Node& node, std::size_t input, const Tensor& gradient) const;
  Carried first_gradient(From& from);
  void give(const Edge& edge, Dtype from, Carried gradient);
  /// One of the edges that lead here is done, with or without a gradient.
  void arrived(const Edge& edge);
  /// The gradients of the node's inputs, from those that arrived at its outputs.
  void apply(NodeId id, const std::vector<std::optional<Carried>>& arrived_here);
  /// No tensors: what a mapped op's derivative makes is new. Throws ReferenceLimit where that would show.
  void forget_passed(const Node& node, std::vector<TensorId>& tensors) const;
  /// The same by ops that are recorded, for a node that is not a custom function's.
  void apply_recorded(NodeId id, const std::vector<std::optional<Carried>>& arrived_here);
  /// Gives the gradients of a node's inputs to where they go; kNoTensor: none.
  void give_all(NodeId id, const std::vector<TensorId>& gradients);
  void reach_leaf(TensorId leaf);
  class Reached;
  /// All gradients of the place, a node or a leaf, have arrived.
  void reach(const Place& place, std::vector<std::optional<Carried>> gradients);
  std::vector<std::int32_t> hooks_of(const Place& place, std::size_t output) const;
  void call_hooks(const Place& place, std::vector<std::optional<Carried>>& gradients);
  /// Whether a leaf has hooks after accumulation, and calls them also if no gradient arrives.
  bool hooked_without_gradient(TensorId leaf) const;
  /// Makes the gradient that arrived at the place a tensor that the program can see. Throws ReferenceLimit if the
  /// reference does not know how PyTorch lays it out.
  void show(const Place& place, std::size_t output, Carried& gradient);
  /// Keeps the gradients that are to be returned: each is a tensor from then on.
  void take(const Place& place, std::vector<std::optional<Carried>>& gradients);
  void see_source(std::vector<Gradient>& gradients, const std::vector<TensorId>& tensors) const;
  std::vector<TensorId> passed_on(NodeId id, const Node& node, const std::vector<std::optional<Carried>>& given);
  /// The strides of the gradient of `input`, if the formula copies the layout of the gradient that arrived.
  std::optional<Sizes> copied_strides(const Node& node, std::size_t input,
                                      const std::optional<Carried>& gradient) const;
  void refuse_resized_leaf(const Node::Input& input) const;
  TensorId turned(const Node::Input& factor, const std::vector<Element>& gradient);
  TensorId summed_view(const Node& node, std::size_t input, const std::vector<Element>& gradient);
  /// A view with these sizes of a new tensor: what sum_to() makes of a tensor with `rank` dimensions. kNoTensor: it
  /// takes no view, since no dimensions go or all do [aten/src/ATen/ExpandUtils.h, sum_to].
  TensorId view_of_sum(std::size_t rank, const Sizes& sizes, Dtype dtype, const std::vector<Element>& sum);
  TensorId parts_view(const Node& node, std::size_t input, const std::vector<Element>& gradient);
  /// `number`: of the edge, in messages.
  Carried as_recorded(const Node::Input& input, std::size_t number, Carried gradient);
  void free(NodeId id);
  void retain(NodeId id, std::size_t output, const std::optional<Carried>& gradient);
  /// The tensor that is this output of a node.
  TensorId result_of(NodeId id, std::size_t output) const;
  /// A leaf gets gradients of the sizes that it had when it was first used, which the reference does not keep: throws
  /// ReferenceLimit if it has other sizes now.
  void check_sizes(TensorId leaf) const;
  void accumulate(TensorId leaf, const Carried& gradient);
  class Arrived;
  TensorId made_for(const Tensor& leaf, const Carried& gradient, bool stored, bool inference);
  TensorId copied_for(const Tensor& leaf, const Carried& gradient);
  TensorId tensor_for(const Tensor& leaf, const Carried& gradient);
  void add_in_place(const Tensor& leaf, const Carried& gradient);

  const Judge& judge_;
  State& state_;
  Chosen chosen_;
  CarriedGradients gradients_;
  bool creates_;
  bool free_layout_;
  bool frees_;
  std::set<NodeId> seen_;
  std::map<Place, int> waits_for_;
  std::map<NodeId, bool> leads_;
  std::vector<Ready> ready_;  ///< a heap, as in the engine: its order of equals is seen
  std::vector<TensorId> taken_;
  std::set<std::pair<NodeId, std::size_t>> retained_;  ///< the outputs whose gradients have been retained
};

}  // namespace plumbline::reference
