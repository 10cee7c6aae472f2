// Backward: the nodes of a graph in their order, and the gradients between them.
#pragma once

#include <queue>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "optimized/autograd/gradient_plan.h"
#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// One run, on the calling thread, in its modes but with its own grad mode [torch/csrc/autograd/engine.cpp].
class Backward {
 public:
  /// Which gradients are asked for: those of some tensors, by their edges, or all. An edge without a node gets none.
  struct Chosen {
    std::span<const Edge> edges = {};
    bool returned = false;  ///< they are returned, and no `.grad` is filled with them
    bool all_must_arrive = false;
  };
  /// Where it starts: an edge with a node, and the gradient there.
  struct Root {
    Edge edge;
    Tensor gradient;
  };
  /// Returns the gradients of the chosen edges if they are to be returned, undefined where none arrived. Raises what a
  /// node raises, grad_shape if a gradient does not fit, and input_unused; nothing has changed then.
  Tensors run(std::vector<Root> roots, bool retain_graph, const Chosen& chosen, bool create_graph);

  /// For AccumulateGrad: adds to what the leaf's `.grad` will get.
  void accumulate(const Tensor& leaf, const Tensor& gradient);

 private:
  struct State {
    std::size_t dependencies = 0;  ///< edges to it that have given no gradient yet
    Tensors gradients;             ///< of its outputs
    bool leads = true;             ///< a chosen edge can be reached through it
    bool taken = false;            ///< a chosen edge leads to it
  };
  struct Later {
    bool operator()(const Node* a, const Node* b) const { return a->sequence() < b->sequence(); }
  };

  void count_dependencies(std::span<const Root> roots);
  /// Marks the nodes that lead to chosen edges.
  void mark_chosen(std::span<const Root> roots);
  void mark_leading(Node* root, std::unordered_set<const Node*>& seen);
  /// Whether the node gets gradients, and whether it also runs.
  static bool takes_part(const State& state) { return state.leads || state.taken; }
  bool runs(const State& state) const { return state.leads || (state.taken && !chosen_.returned); }
  void take(const Node* node, const Tensors& gradients);
  void step(Node* node);
  void retain(const Node* node, const Tensors& gradients);
  static void call_hooks(const Node* node, Tensors& gradients);
  void pass(const Edge& edge, const Tensor& gradient);

  std::unordered_map<const Node*, State> states_;
  std::priority_queue<Node*, std::vector<Node*>, Later> ready_;
  std::vector<Node*> ran_;
  Chosen chosen_;
  Tensors taken_;  ///< of the chosen edges
  GradientPlan plan_;
};

}  // namespace plumbline::optimized
