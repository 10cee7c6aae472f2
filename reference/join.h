// cat of a list of tensors, in steps, because its out= form has its own checks between them.
#pragma once

#include "reference/kernels.h"

namespace plumbline::reference {

/// The arguments of cat: the tensors and the dimension.
struct Joining {
  std::vector<Tensor> tensors;
  std::int64_t dim = 0;     ///< as written
  std::vector<bool> skips;  ///< which tensors are skipped (GEO-63)

  bool any() const;
};

/// Checks the list and the dimension, which it wraps.
Joining joining_of(const Judge& judge, std::vector<Tensor> tensors, std::int64_t dim);
/// The dtype that all tensors promote to.
Dtype joined_dtype(const Judge& judge, const Joining& joining);
/// The tensors' elements as `dtype`; raises an error if the sizes do not fit.
Fresh joined(const State& state, const Joining& joining, Dtype dtype, Tape* tape);

}  // namespace plumbline::reference
