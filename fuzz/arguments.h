// Choosing the arguments of a call from its schema and from the state in which it will run.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/gene.h"
#include "reference/state.h"
#include "spec/ops/ops.h"

namespace plumbline::fuzz {

using Sizes = std::vector<std::int64_t>;

/// A call's arguments, one for each in the schema, or the reason why the call cannot be made.
struct Chosen {
  std::vector<Value> arguments;
  std::optional<Sizes> missing;        ///< a tensor of these sizes has to be made first
  std::optional<Dtype> missing_dtype;  ///< and of this dtype, if it needs a particular one
  std::optional<MakeTensor> index;     ///< to be made first; until then the argument `index` is None
  bool refused = false;  ///< the values have grown too large to stay exact, or the write's order would show
};

/// Chooses arguments that are legal for `op`; one draw in eight of `twist` makes one of them illegal. `live` are the
/// slots that hold a tensor.
Chosen choose_arguments(const reference::State& state, const std::vector<Slot>& live, const Op& op, Choices& choices,
                        std::uint8_t twist);

/// Sizes of rank 0 to 3 with few elements; zeros and ones are among them.
Sizes choose_sizes(Choices& choices);

/// The same; in half of the cases the sizes of the newest tensor, so that the two can be operands of one op.
Sizes sizes_like_newest(const reference::State& state, const std::vector<Slot>& live, Choices& choices);

/// The sizes of a tensor as plain integers.
Sizes sizes_of(const reference::Tensor& tensor);

/// The number of its dimensions.
inline std::size_t rank_of(const reference::Tensor& tensor) { return tensor.geometry.sizes.size(); }

/// The tensor in a slot that holds one.
const reference::Tensor& tensor_in(const reference::State& state, Slot slot);

/// How many tensors a call returns if its arguments are legal.
std::size_t result_count(const reference::State& state, const Op& op, const std::vector<Value>& arguments);

}  // namespace plumbline::fuzz
