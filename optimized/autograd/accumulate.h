// AccumulateGrad: where a gradient comes to a leaf.
#pragma once

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// The node of a leaf that requires grad. It holds the leaf, which knows it weakly: all graphs of the leaf share it
/// [torch/csrc/autograd/functions/accumulate_grad.h].
class AccumulateGrad : public Node {
 public:
  explicit AccumulateGrad(const Tensor& leaf);

  /// The leaf's, made where there is none; null where the tensor itself does not require grad, a view by its base
  /// alone.
  static Ref<Node> of(const Tensor& leaf);
  /// Makes the next graph that the leaf gets into begin with another one.
  static void forget(AutogradMeta& meta);
  /// Lets this one, of a leaf that is none any more, go: it takes no gradient.
  static void part(AutogradMeta& meta);

  std::string name() const override { return "AccumulateGrad"; }
  Tensors apply(const Tensors& gradients, Backward& run) override;

 private:
  bool ends() override;

  Tensor leaf_;
  OutputShape shape_;
};

}  // namespace plumbline::optimized
