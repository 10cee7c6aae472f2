// AccumulateGrad: the node that adds a gradient to a leaf.
#pragma once

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// The node of a leaf that requires grad. It holds the leaf, which has a weak reference to it: all graphs of the leaf
/// share it [torch/csrc/autograd/functions/accumulate_grad.h].
class AccumulateGrad : public Node {
 public:
  explicit AccumulateGrad(const Tensor& leaf);

  /// The leaf's node, made if there is none; null if the tensor itself does not require grad (a view may require grad
  /// only through its base).
  static Ref<Node> of(const Tensor& leaf);
  /// Makes the leaf's next graph begin with a new node.
  static void forget(AutogradMeta& meta);
  /// Drops the node of a tensor that is no longer a leaf: it takes no gradient.
  static void part(AutogradMeta& meta);

  std::string name() const override { return "AccumulateGrad"; }
  std::optional<std::pair<std::uint32_t, std::string>> named(std::uint32_t /*output*/) const override {
    return std::nullopt;
  }
  Tensors apply(const Tensors& gradients, Backward& run) override;
  Ref<HookList> leaf_hooks() const override;
  /// Undefined if the tensor is no longer a leaf.
  const Tensor& leaf() const { return leaf_; }

 private:
  bool ends() override;

  Tensor leaf_;
  OutputShape shape_;
};

}  // namespace plumbline::optimized
