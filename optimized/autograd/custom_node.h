// The node of a custom function: the backward body, and what the forward body saved for it.
#pragma once

#include <vector>

#include "optimized/autograd/custom_function.h"
#include "optimized/autograd/saved.h"

namespace plumbline::optimized {

/// [torch/csrc/autograd/python_function.cpp, PyNode]
class CustomNode : public Node {
 public:
  /// Raises the errors of reading the inputs' histories.
  CustomNode(std::function<Tensors(FunctionContext&, const Tensors&)> backward, const Tensors& inputs);

  /// Says how many results there are and describes each, also one that is not recorded: backward gets zeros for it.
  void set_results(const Tensors& results);
  /// Raises as Saved; called after the results have their histories.
  void save(const Tensors& tensors);
  /// The saved tensors; raises backward_twice, and as Saved::unpack.
  Tensors unpack();

  std::string name() const override { return "FunctionBackward"; }
  Tensors apply(const Tensors& gradients, Backward& run) override;
  void release_saved() override;

 private:
  std::function<Tensors(FunctionContext&, const Tensors&)> backward_;
  std::vector<Edge> to_;
  std::vector<OutputShape> shapes_;
  std::vector<Saved> saved_;
  bool freed_ = false;
};

}  // namespace plumbline::optimized
