// The gradients in flight in one backward: their elements, and their tensor if it matters which one it is.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "reference/graph.h"

namespace plumbline::reference {

/// A gradient that flows to a node or a leaf.
struct Carried {
  std::vector<Element> elements;
  TensorId tensor = kNoTensor;  ///< its tensor in PyTorch's engine; kNoTensor: a new tensor of the mode
  Sizes strides = {};           ///< of the new tensor; empty: row-major
  bool laid_out = true;         ///< whether these are PyTorch's strides; false: the reference does not know them
};

/// Whether the strides are in the order of the dimensions, or all 0, as those of an expanded number: what an op
/// computes from such tensors is row-major.
bool is_plain(const Geometry& geometry);

/// The strides of a gradient that is converted to the dtype of its tensor, and of zeros_like(gradient): both preserve
/// the layout [torch/csrc/autograd/engine.cpp, validate_outputs].
Sizes converted_strides(const Geometry& gradient);

/// The gradients that wait at nodes and leaves.
class CarriedGradients {
 public:
  CarriedGradients(const Judge& judge, State& state) : judge_(judge), state_(state) {}

  /// The caller of backward holds this tensor.
  void hold(TensorId tensor) { held_.push_back(tensor); }

  /// A gradient arrives at an output of a node with `outputs` outputs, or at a leaf, of this dtype; `from`: the
  /// gradient's own dtype.
  void arrives(const Edge& edge, std::size_t outputs, Dtype dtype, Dtype from, Carried gradient);
  /// Takes the gradients that wait at a node; empty where a gradient is missing.
  std::vector<std::optional<Carried>> taken(NodeId node);
  std::optional<Carried> taken_by_leaf(TensorId leaf);
  /// Whether an op computes row-major results from the gradient.
  bool is_plain(const Carried& gradient) const;
  bool waits_at_leaf(TensorId leaf) const { return leaves_.contains(leaf); }

  /// A gradient's current elements.
  std::vector<Element> elements(const Carried& gradient) const;
  /// A gradient's tensor; if it has none, a new one in the thread's modes.
  TensorId tensor_of(const Carried& gradient, const Sizes& sizes, Dtype dtype);
  /// Whether something besides the engine holds the tensor [at::caching::adjusted_use_count]. Throws ReferenceLimit if
  /// only a node's saved tensors may hold it.
  bool is_held(TensorId tensor) const;
  /// A gradient as a new tensor; its first version is unspecified (VER-17).
  TensorId fresh(const Sizes& sizes, Dtype dtype, std::vector<Element> elements, const Sizes& strides = {});

 private:
  void add(std::optional<Carried>& sum, Dtype dtype, Carried gradient);
  /// Moves a gradient to the device of what it belongs to.
  void move_to_edge(const Edge& edge, Carried& gradient) const;
  /// Whether a sum with `added` may overwrite a waiting gradient [torch/csrc/autograd/input_buffer.cpp,
  /// can_accumulate_inplace].
  bool may_be_written(TensorId tensor, TensorId added) const;
  /// The holders of tensors outside the engine, and the waiting gradients.
  std::vector<TensorId> holders() const;

  const Judge& judge_;
  State& state_;
  std::vector<TensorId> held_;
  std::map<NodeId, std::vector<std::optional<Carried>>> nodes_;
  std::map<TensorId, std::optional<Carried>> leaves_;
};

}  // namespace plumbline::reference
