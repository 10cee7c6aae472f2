// A node of the backward graph: a recorded call, a leaf that takes a gradient, or the result of a write through a view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimized/autograd/hooks.h"
#include "optimized/autograd/meta.h"
#include "optimized/tensor/dim_vector.h"
#include "spec/ops/op_ids.h"

namespace plumbline::optimized {

using Tensors = std::vector<Tensor>;

class Backward;

/// Where a gradient goes: an output of a node. Without a node, no one needs it.
struct Edge {
  Ref<Node> node;
  std::uint32_t output = 0;
  bool ends = false;  ///< it is of a tensor that requires grad, but no gradient reaches that: a view without history
  explicit operator bool() const { return static_cast<bool>(node); }
};

/// What a gradient of a node's output must be; nothing for an output that is not differentiable.
struct OutputShape {
  DimVector sizes;
  Dtype dtype = Dtype::float32;
  Backend device = Backend::CPU;

  static OutputShape of(const Tensor& output) { return {output.sizes(), output.dtype(), output.device()}; }
};

/// The gradient of a tensor for which retain_grad() was called; the node whose output the tensor is fills it. It moves
/// with the tensor from node to node; an earlier node still lists it. Guarded by retained_mutex (locks.h).
class RetainedGrad : public Counted {
 public:
  explicit RetainedGrad(AutogradMeta* of) : meta(of) {}
  static void destroy(RetainedGrad* retained) noexcept;

  AutogradMeta* meta;    ///< null: the tensor is gone
  Node* node = nullptr;  ///< whose output it is
  std::uint32_t output = 0;
};

/// Counted. A node holds the next nodes of the graph, and each tensor holds the node whose output it is.
class Node : public Counted {
 public:
  Node() : sequence_(next_sequence()) {}
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  static void* operator new(std::size_t bytes) { return allocate(bytes); }
  static void operator delete(void* block, std::size_t bytes) { release(block, bytes); }
  /// Destroys it and everything that only it holds, without recursion, however long the chain is.
  static void destroy(Node* node) noexcept;

  /// As PyTorch calls it, in messages: "MulBackward0".
  virtual std::string name() const = 0;
  /// Which output of which node a message about one of its outputs names; nothing: it is of a leaf.
  virtual std::optional<std::pair<std::uint32_t, std::string>> named(std::uint32_t output) const {
    return std::pair(output, name());
  }
  /// From the gradients of its outputs, one each, those for its edges; an undefined one means no gradient.
  virtual Tensors apply(const Tensors& gradients, Backward& run) = 0;
  /// Drops what it saved.
  virtual void release_saved() {}
  /// Whether the tensor that is its output is written as a leaf is: not while autograd records.
  virtual bool stands_for_leaf() const { return false; }
  /// Whether it is of a copy that may go to another device, so that its gradient comes back.
  virtual bool copies_to_devices() const { return false; }

  std::span<const Edge> edges() const { return edges_; }
  bool needs(std::size_t edge) const { return static_cast<bool>(edges_[edge]); }
  std::span<const OutputShape> outputs() const { return outputs_; }
  void set_output(std::size_t output, const Tensor& tensor) { outputs_[output] = OutputShape::of(tensor); }
  /// In which order backward takes nodes: the highest first. A thread numbers those that it makes.
  std::uint64_t sequence() const { return sequence_; }

  /// The hooks of a leaf, if the node takes its gradient; null otherwise. The caller holds retained_mutex (locks.h).
  virtual Ref<HookList> leaf_hooks() const { return {}; }

  std::vector<Ref<RetainedGrad>> retained;  ///< what to fill by its outputs' gradients
  std::vector<HookedOutput> hooked;         ///< in the order of registration

 protected:
  explicit Node(std::uint64_t sequence) : sequence_(sequence) {}
  /// Whether it ends with its last reference: not if another thread has acquired it again.
  virtual bool ends() { return true; }

  // Where a derived node has them.
  std::span<Edge> edges_;
  std::span<OutputShape> outputs_;

 private:
  static std::uint64_t next_sequence();

  std::uint64_t sequence_;
  Node* next_ending_ = nullptr;
};

inline AutogradMeta::AutogradMeta() noexcept = default;
inline AutogradMeta::AutogradMeta(Tensor viewed, CreationMeta how, std::uint64_t version) noexcept
    : base(std::move(viewed)), recorded_at(version), creation(how) {}

/// PyTorch's name of the node of a recorded call: "MulBackward0".
std::string node_name(OpId op);

}  // namespace plumbline::optimized
