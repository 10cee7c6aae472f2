// The bodies of transforms: where they begin and end; torch.vmap, and the calls in a mapped body.
#pragma once

#include <set>

#include "reference/kernels.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference::transforms {

/// `torch.vmap(body, …)(inputs)` [torch/_functorch/vmap.py], or enter_grad. Raises the errors of in_dims before the
/// body begins.
void enter(const Judge& judge, State& state, const EnterTransform& enter);
/// Puts the examples of each result where out_dims says, and ends the level; or leave_grad.
void leave(const Judge& judge, State& state, const LeaveTransform& leave);
/// Ends the innermost level after an error.
void abandon(const Judge& judge, State& state);

/// A call of a factory while mapped bodies may run: a random op makes numbers for each example of a level whose
/// randomness is "different" [aten/src/ATen/functorch/BatchRulesRandomness.cpp, random_batching_rule].
class Made {
 public:
  /// Raises an error for a random op in a body whose randomness is "error".
  Made(const Judge& judge, const State& state, const Call& call);
  /// The arguments, with the sizes of what is made for all examples.
  const std::vector<Value>& values() const { return values_; }
  /// What the body sees of what was made.
  TensorId seen(State& state, TensorId made) const;

 private:
  std::vector<Value> values_;
  std::set<std::size_t> levels_;  ///< those of which it has examples
};

/// One call of an op with its own kernels while a mapped body runs: mapped over the examples of its arguments, or as it
/// is if they have none.
std::vector<TensorId> dispatch(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                               std::vector<KernelRun>& kernels);
/// Throws ReferenceLimit for a tensor that a running body maps: its sizes must stay.
void refuse_new_layout(const State& state, TensorId written);
/// Whether a tensor has examples of a running level.
bool is_batched(const State& state, TensorId tensor);

}  // namespace plumbline::reference::transforms
