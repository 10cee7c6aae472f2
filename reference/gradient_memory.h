// Whose memory a gradient is, on its way through one run of backward (AUT-50).
#pragma once

#include <map>
#include <utility>

#include "reference/kernels.h"

namespace plumbline::reference {

class GradientMemory {
 public:
  using Place = std::pair<NodeId, TensorId>;  ///< a node, or a leaf

  /// A gradient's memory, and whether the gradient is a view of it that nothing else holds.
  struct Piece {
    int memory = 0;
    bool view = false;
  };

  /// Whether an op's derivative gives a view of all of the gradient that it is given; whether it may give a view of it.
  static bool gives_view(OpId op);
  static bool may_give_view(OpId op);

  /// A gradient comes to a place: with another one that is there it makes a sum, in memory of its own.
  void arrives(Place place, Piece piece);
  /// What goes on from a place: a view of what came to it, or memory of its own.
  Piece passed(Place place, bool view);
  /// The tensor holds this memory.
  void hold(Piece piece, TensorId tensor) { holders_.try_emplace(piece.memory, tensor); }
  /// `made` becomes the leaf's `.grad`: where the rule has it so, a view of what holds its memory already.
  void take(const Judge& judge, State& state, Place leaf, TensorId made);

 private:
  std::map<Place, Piece> pieces_;
  std::map<int, TensorId> holders_;
  int last_ = 0;
};

}  // namespace plumbline::reference
