// Choosing the arguments of a call from its schema and from the state in which it will run.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/gene.h"
#include "fuzz/left_out.h"
#include "fuzz/sizes.h"
#include "reference/state.h"
#include "spec/ops/ops.h"

namespace plumbline::fuzz {

/// A call's arguments, one for each in the schema, or the reason why the call cannot be made.
struct Chosen {
  std::vector<Value> arguments{};
  std::optional<Sizes> missing{};        ///< a tensor of these sizes has to be made first
  std::optional<Dtype> missing_dtype{};  ///< and of this dtype, if it needs a particular one
  std::optional<MakeTensor> index{};     ///< to be made first; until then the argument `index` is None
  std::optional<LeftOut> left_out{};     ///< the call should not be made
  double elements = 0;                   ///< in the result, at most
  bool huge = false;                     ///< a number of 31 to 40 bits is among them: see whether the call raises
};

/// Chooses arguments that are legal for `op`; one draw in eight of `twist` makes one of them illegal. `live` are the
/// slots that hold a tensor.
Chosen choose_arguments(const reference::State& state, const std::vector<Slot>& live, const Op& op, Choices& choices,
                        std::uint8_t twist);

/// How many tensors a call returns if its arguments are legal.
std::size_t result_count(const reference::State& state, const Op& op, const std::vector<Value>& arguments);

}  // namespace plumbline::fuzz
