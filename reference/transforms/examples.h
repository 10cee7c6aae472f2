// A node of a mapped op, seen as that of one example, so that formulas for the op serve it.
#pragma once

#include <vector>

#include "reference/transforms/batched.h"

namespace plumbline::reference::transforms {

/// While it lives, calls are mapped over the examples of a node's call, and over nothing else.
class Examples {
 public:
  /// `node` has a mapping.
  Examples(State& state, const Node& node);
  ~Examples() { end(); }
  Examples(const Examples&) = delete;
  Examples& operator=(const Examples&) = delete;

  /// The node with the sizes of one example.
  Node node() const;
  /// What one example has of input `number`, or of an output, of which `whole` is the tensor of all examples.
  TensorId of_input(std::size_t number, TensorId whole) const;
  TensorId of_output(TensorId whole) const;

  /// Ends the mapping.
  void end();
  /// After `end`, the gradient of input `number` for all examples, from that of one as `whole_of` gives it. Where the
  /// input has no examples, it is the sum of theirs.
  TensorId gradient(const Judge& judge, std::size_t number, const Whole& of_one) const;

 private:
  const Mapping::Dims* dims_of_input(std::size_t number) const;
  Whole with_dims(TensorId whole, const Mapping::Dims* dims) const;
  Mapping::Dims output_dims() const;

  State& state_;
  const Node& node_;
  // What the state had, moved, so that references to its elements stay valid.
  std::vector<Level> levels_;
  std::vector<Differentiated> differentiated_;
  bool ended_ = false;
};

}  // namespace plumbline::reference::transforms
