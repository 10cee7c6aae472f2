// Tensors that have examples, and their tensors of all examples.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "reference/state.h"

namespace plumbline::reference::transforms {

/// How many dimensions it has, as the body sees it.
std::int64_t rank(const State& state, TensorId tensor);

/// A tensor of all examples.
struct Whole {
  TensorId tensor = kNoTensor;
  std::map<std::size_t, std::size_t> dims;  ///< by level: the dimension in which its examples are
  std::set<std::size_t> assumed;            ///< the levels of `Batched::assumed`
};
/// That of a tensor in a mapped body; the tensor itself if it has no examples.
Whole whole_of(const State& state, TensorId tensor);

/// The innermost level of which a tensor has examples; nothing: it has none.
std::optional<std::size_t> level_of(const State& state, TensorId tensor);

/// What the body of `level` sees of a tensor: its geometry without the dimension of the examples.
TensorId add_batched(State& state, std::size_t level, const Batched& batched);
/// What the innermost body sees of a tensor of all examples.
TensorId seen(State& state, const Whole& whole);
/// The same of a tensor whose first dimensions are the examples of these levels, in order.
TensorId seen_at(State& state, const std::set<std::size_t>& levels, TensorId tensor,
                 const std::set<std::size_t>& assumed = {});

}  // namespace plumbline::reference::transforms
