// Histories of a differentiated body: what they lead to, and what becomes of them when it ends.
#pragma once

#include <map>
#include <set>

#include "reference/state.h"

namespace plumbline::reference::transforms {

/// What the nodes of a differentiated body lead to.
class GradGraph {
 public:
  GradGraph(const Judge& judge, const State& state, const Differentiated& body);

  /// Whether an edge leads to something outside the body that requires grad.
  bool leads_outside(const Edge& edge);
  bool leads_outside(NodeId node);
  /// Whether an edge leads to one of the body's own leaves.
  bool reaches_leaf(const Edge& edge) const;
  /// Whether a tensor requires grad because of one of them.
  bool requires_grad_by_leaf(TensorId tensor) const;
  /// Whether a mapped op was recorded in the body.
  bool maps() const;

 private:
  /// Where the gradient of a tensor goes; its history is not asked for.
  Edge edge_known_of(TensorId tensor) const;
  /// The base of a view, or the tensor itself.
  TensorId base_of(TensorId tensor) const;

  const State& state_;
  NodeId first_;
  std::set<TensorId> leaves_;  ///< the body's own
  std::set<TensorId> dead_;    ///< of these, those that lead nowhere
  std::map<NodeId, bool> known_;
};

/// The innermost differentiated body ends. Its tensors become those of the caller, and what requires grad only in the
/// body no longer does.
class GradEnding {
 public:
  GradEnding(const Judge& judge, State& state);

  void run();

 private:
  /// The caller's tensor for one of the body.
  TensorId outer(TensorId tensor) const;
  Edge edge_of(TensorId outer);
  void rename(TensorId& tensor) const { tensor = outer(tensor); }
  /// What the body did to an input's own tensor.
  void give_back(const Differentiated::Input& input);
  void relink(Node& node) const;
  void drop_histories();
  /// What the caller's level, in which Autograd records nothing, has of the tensors that the body made.
  void see_as_without_grad_mode();

  const Judge& judge_;
  State& state_;
  const Differentiated body_;
  std::map<TensorId, TensorId> outer_;
  std::map<TensorId, Edge> edges_;  ///< of the body's leaves, to the caller's tensors
};

}  // namespace plumbline::reference::transforms
