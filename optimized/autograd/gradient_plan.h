// What backward will do to `.grad`, deferred until nothing can fail, so that a backward that raises has changed
// nothing.
#pragma once

#include <vector>

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

class GradientPlan {
 public:
  /// `gradient` is to be added to the leaf's `.grad`; while grad mode is on, by an op that makes a new `.grad`. Raises
  /// what the addition would.
  void accumulate(const Tensor& leaf, const Tensor& gradient);
  /// It is to be added to a retained gradient.
  void retain(const Ref<RetainedGrad>& retained, const Tensor& gradient);
  void commit();
  /// Does for one leaf what commit() would do, at once: a hook is about to see its `.grad`.
  void commit(const Tensor& leaf);

 private:
  struct Leaf {
    Tensor leaf;
    Tensor gradient;
    bool fresh;         ///< it had no `.grad`: `gradient` becomes it, and no one else holds it
    Tensor found = {};  ///< for a new `.grad` in its place: the old one, or none
    Tensor made = {};   ///< and the new one
  };
  struct Retained {
    Ref<RetainedGrad> retained;
    Tensor grad;  ///< what it will be
  };

  void replace(const Tensor& leaf, const Tensor& gradient);
  static void commit(Leaf& one);

  std::vector<Leaf> leaves_;
  std::vector<Retained> retained_;
};

}  // namespace plumbline::optimized
