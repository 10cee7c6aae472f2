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
  /// They are all the same: it is a differentiated input without examples, whose gradient has them, or was computed
  /// from such inputs alone.
  bool assumed = false;
};

/// A running body of torch.vmap.
struct Level {
  std::int64_t examples = 0;
  Randomness randomness = Randomness::error;
  std::map<std::int32_t, Batched> tensors;  ///< by what the body sees
};

/// A running body of torch.func.grad.
struct Differentiated {
  /// An input: what the body has for it, and what the caller has. In a mapped body, the tensors of all examples.
  struct Input {
    std::int32_t own = -1;
    std::int32_t outer = -1;
    std::int32_t given = -1;  ///< `outer` as the caller sees it
    std::int32_t shown = -1;  ///< `own` as the body sees it
    bool chosen = false;      ///< its gradient is asked for: `own` is a leaf
  };
  std::vector<Input> inputs;
  std::vector<std::size_t> argnums;  ///< the chosen inputs, in the order of the results
  std::size_t mapped_levels = 0;     ///< how many mapped bodies are around it
  std::size_t first_tensor = 0;      ///< tensors, storages and nodes from these on are made in the body
  std::size_t first_storage = 0;
  std::size_t first_node = 0;
  std::size_t first_counter = 0;
  bool inference_outside = false;     ///< it was called in inference mode, or with an inference tensor
  bool records_outside = true;        ///< what it computes may get a history that leads out of it (TRF-24)
  std::vector<std::int32_t> written;  ///< the storages of inputs that it wrote
};

/// How a call is mapped: over the product of its axes, one for each level that an argument has examples of.
struct Mapping {
  /// For each axis its dimension in one tensor argument; nothing: the argument has no examples of that level.
  using Dims = std::vector<std::optional<std::size_t>>;
  std::vector<std::int64_t> sizes;  ///< the numbers of examples, the outermost level first
  std::map<Slot, Dims> dims;        ///< by the slot of each tensor argument, which is given once
};

}  // namespace plumbline::reference::transforms
