// What autograd records of ops of which only the schema is known, and their derivatives.
#pragma once

#include "reference/by_schema.h"
#include "reference/graph.h"

namespace plumbline::reference {

/// What autograd records of one call. It is learned from plain runs with the same tensors requiring grad: which results
/// have a grad_fn, after the write of which tensors a backward raises an error, whether a second one does.
struct SchemaRecord {
  std::vector<bool> differentiable;  ///< by result
  std::vector<Saves> saves;          ///< as in the op table
  std::optional<Failure> fails;      ///< the error of a backward
};

/// Nothing if autograd records nothing of the call, or if the call raises an error of its kernel. Raises the errors
/// that it has because it is recorded. Throws ReferenceLimit as effect_by_schema does.
std::shared_ptr<const SchemaRecord> record_by_schema(const KernelCall& call);
/// Throws ReferenceLimit if, in grad mode, a composite op with out= is given a tensor that requires grad, or any op an
/// inference tensor that does: what happens is decided by the ops that its kernel calls.
void refuse_hidden_recording(const KernelCall& call);
/// Whether an op with out= refuses tensors that require grad.
bool refuses_gradients_by_schema(const KernelCall& call, bool any_requires);

/// The gradients of the inputs of such a call's node; an absent gradient is nothing. Raises the errors of what the node
/// saved, and that of the op's own backward. `tensors`: of the given gradients, where they have one. Throws
/// ReferenceLimit if a gradient may be such a tensor, or shares memory with another one.
std::vector<Gradient> gradients_by_schema(const Judge& judge, State& state, const Node& node,
                                          const std::vector<Gradient>& given, const std::vector<TensorId>* tensors);

}  // namespace plumbline::reference
