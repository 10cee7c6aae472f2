// The levels of transforms of torch.func, and the tensors that stand for all examples, as plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::reference::transforms {

/// A tensor of a mapped body that has examples: what the body sees of it is one example. Tensors are indices into
/// `State::tensors` [aten/src/ATen/functorch/BatchedTensorImpl.h].
struct Batched {
  std::int32_t value = -1;  ///< the tensor of all examples; an outer level's, or none's
  std::size_t dim = 0;      ///< the dimension of `value` in which the examples are
};

/// A running body of torch.vmap.
struct Level {
  std::int64_t examples = 0;
  Randomness randomness = Randomness::error;
  std::map<std::int32_t, Batched> tensors;  ///< by what the body sees
};

/// How a call is mapped: over the product of its axes, one for each level that an argument has examples of.
struct Mapping {
  /// For each axis its dimension in one tensor argument; nothing: the argument has no examples of that level.
  using Dims = std::vector<std::optional<std::size_t>>;
  std::vector<std::int64_t> sizes;  ///< the numbers of examples, the outermost level first
  std::map<Slot, Dims> dims;        ///< by the slot of each tensor argument, which is given once
};

}  // namespace plumbline::reference::transforms
