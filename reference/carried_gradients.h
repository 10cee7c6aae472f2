// The gradients on their way through one backward: their elements, and the tensor that one is where it matters which.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "reference/graph.h"

namespace plumbline::reference {

/// A gradient on its way to a node or a leaf.
struct Carried {
  std::vector<Element> elements;
  TensorId tensor = kNoTensor;  ///< the tensor that it is in PyTorch's engine; kNoTensor: one of its own, of the mode
};

/// What waits at nodes and leaves.
class CarriedGradients {
 public:
  CarriedGradients(const Judge& judge, State& state);

  /// Whoever called backward holds this tensor.
  void hold(TensorId tensor) { held_.push_back(tensor); }

  /// A gradient for an output of a node, or for a leaf, of this dtype and of these many elements; `from`: its own
  /// dtype.
  void arrives(const Edge& edge, std::size_t outputs, Dtype dtype, Dtype from, Carried gradient);
  /// What waits at a node, which takes it; empty where a gradient is missing.
  std::vector<std::optional<Carried>> taken(NodeId node);
  std::optional<Carried> taken_by_leaf(TensorId leaf);
  bool waits_at_leaf(TensorId leaf) const { return leaves_.contains(leaf); }

  /// The elements that a gradient has now.
  std::vector<Element> elements(const Carried& gradient) const;
  /// The tensor that a gradient is, made where there is none: row-major, in the modes of the thread.
  TensorId tensor_of(const Carried& gradient, const Sizes& sizes, Dtype dtype);
  /// Whether something besides the engine holds the tensor [at::caching::adjusted_use_count]. Throws ReferenceLimit
  /// where only what a node has saved may do so.
  bool is_held(TensorId tensor) const;
  /// A gradient as a tensor of its own; the first version of its counter is unspecified (VER-17).
  TensorId fresh(const Sizes& sizes, Dtype dtype, std::vector<Element> elements, const Sizes& strides = {});

 private:
  void add(std::optional<Carried>& sum, Dtype dtype, Carried gradient);
  /// Whether a sum may be made in place of a gradient that waits [torch/csrc/autograd/input_buffer.cpp,
  /// can_accumulate_inplace].
  bool may_be_written(TensorId tensor) const;
  /// What holds tensors outside of the engine, and what waits.
  std::vector<TensorId> holders() const;

  const Judge& judge_;
  State& state_;
  bool sums_in_place_;  ///< where gradients are stored as they are, a sum's tensor can be seen (AUT-50, AUT-60)
  std::vector<TensorId> held_;
  std::map<NodeId, std::vector<std::optional<Carried>>> nodes_;
  std::map<TensorId, std::optional<Carried>> leaves_;
};

}  // namespace plumbline::reference
