// Backward: the nodes of a graph in their order, and the gradients between them.
#pragma once

#include <queue>
#include <unordered_map>
#include <vector>

#include "optimized/autograd/gradient_plan.h"
#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// One run, on the calling thread, in its modes but with grad mode off [torch/csrc/autograd/engine.cpp].
class Backward {
 public:
  /// From `root`, which has a node, whose gradient is `gradient`. Raises what a node raises, and grad_shape if a
  /// gradient does not fit; nothing has changed then.
  void run(const Edge& root, const Tensor& gradient, bool retain_graph);

  /// For AccumulateGrad: adds to what the leaf's `.grad` will get.
  void accumulate(const Tensor& leaf, const Tensor& gradient) { plan_.accumulate(leaf, gradient); }

 private:
  struct State {
    std::size_t dependencies = 0;  ///< edges to it that have given no gradient yet
    Tensors gradients;             ///< of its outputs
  };
  struct Later {
    bool operator()(const Node* a, const Node* b) const { return a->sequence() < b->sequence(); }
  };

  void count_dependencies(Node* root);
  void step(Node* node);
  void retain(const Node* node, const Tensors& gradients);
  void pass(const Edge& edge, const Tensor& gradient);

  std::unordered_map<const Node*, State> states_;
  std::priority_queue<Node*, std::vector<Node*>, Later> ready_;
  std::vector<Node*> ran_;
  GradientPlan plan_;
};

}  // namespace plumbline::optimized
