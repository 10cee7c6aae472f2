// Joining: what cat makes of a list of tensors, step by step, as its out= form interleaves its own checks.
#pragma once

#include "reference/kernels.h"

namespace plumbline::reference {

/// The tensors that cat is given, and the dimension.
struct Joining {
  std::vector<Tensor> tensors;
  std::int64_t dim = 0;     ///< as written
  std::vector<bool> skips;  ///< which ones are passed over (GEO-63)

  bool any() const;
};

/// Checks the list and the dimension, which it wraps.
Joining joining_of(const Judge& judge, std::vector<Tensor> tensors, std::int64_t dim);
/// The dtype that all tensors promote to.
Dtype joined_dtype(const Judge& judge, const Joining& joining);
/// The tensors' elements as `dtype`; raises where the sizes do not fit.
Fresh joined(const State& state, const Joining& joining, Dtype dtype, Tape* tape);

}  // namespace plumbline::reference
