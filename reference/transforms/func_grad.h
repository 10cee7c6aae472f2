// torch.func.grad: where a differentiated body begins and ends, and what it may write.
#pragma once

#include "reference/kernels.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::reference::transforms {

/// `torch.func.grad(body, …)(inputs)` [torch/_functorch/eager_transforms.py, grad_and_value_impl]. Raises the errors of
/// argnums before the body begins.
void enter_grad(const Judge& judge, State& state, const EnterTransform& enter);
/// Computes the gradients of what the body returns. What required grad only in the body no longer does.
void leave_grad(const Judge& judge, State& state, const LeaveTransform& leave);
/// Ends the innermost body after an error.
void abandon_grad(const Judge& judge, State& state);

/// Raises the error of a call that writes what a running body captured, and before those of the levels around the
/// innermost body those of its own level. Throws ReferenceLimit for tensors whose part in the body is not specified
/// here.
void check_grad_call(const Judge& judge, State& state, OpId op, std::span<const Value> values);
/// Whether an argument requires grad in a level whose grad mode is on, while differentiated bodies run.
bool requires_grad_in_body(const Judge& judge, const State& state, OpId op, std::span<const Value> values);
/// Whether the caller of the running bodies sees only inference tensors in these, so that none of its calls reaches
/// Autograd.
bool only_inference_outside(const Judge& judge, const State& state, const std::vector<TensorId>& tensors);
/// Whether the innermost running body is one of grad.
bool innermost_is_grad(const State& state);

}  // namespace plumbline::reference::transforms
