// Tensors that stand for all examples of a mapped body, and the levels of running bodies.
#pragma once

#include <vector>

#include "optimized/tensor/tensor.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::optimized {

/// What is behind a batched tensor [aten/src/ATen/functorch/BatchedTensorImpl.h].
struct Batched {
  Tensor value;   ///< the tensor of all examples, which may be batched at an outer level
  int dim = 0;    ///< the dimension of `value` in which the examples are
  int level = 0;  ///< the level of the body that sees one example, from 1
};

/// Null: the tensor is not batched.
const Batched* batched(const Tensor& tensor);
/// The tensor of all examples of every level, which is not batched; `tensor` itself if it is not.
Tensor innermost(Tensor tensor);
/// A view with the dimension `from` moved to `to`; the same tensor if it is there already.
Tensor with_dim_moved(const Tensor& tensor, int from, int to);
/// What the body of `level` sees of `value`: a tensor without the dimension `dim`, on the same memory.
Tensor make_batched(const Tensor& value, int dim, int level);

/// Makes a tensor that is not batched, and that autograd knows nothing of, what `of.level` sees of `of.value`.
void become_batched(const Tensor& tensor, Batched of);

/// A running body of vmap.
struct MappedLevel {
  std::int64_t examples = 0;
  Randomness randomness = Randomness::error;
};
/// Those of the calling thread, the outermost first.
std::vector<MappedLevel>& mapped_levels();

}  // namespace plumbline::optimized
