// One call of an op, through the kernels that the key set selects: Autograd, ADInplaceOrView, the backend.
#pragma once

#include "reference/kernels.h"

namespace plumbline::reference {

/// Executes a call and binds its results. Raises what it raises; the state is then what the rules say.
void call_op(const Judge& judge, State& state, const Call& call);

/// Makes a tensor as a Python factory does, and returns it.
TensorId make_tensor(const Judge& judge, State& state, Fresh fresh, bool requires_grad);

/// `x.requires_grad = value`.
void set_requires_grad(const Judge& judge, State& state, TensorId tensor, bool value);

/// Whether a tensor requires grad, as read.
bool requires_grad_of(const Judge& judge, const State& state, TensorId tensor);

/// Asks for a tensor's history: a tracked view whose base was written since regenerates it, or raises.
void ask_history(const Judge& judge, State& state, TensorId tensor);

/// The version that a tensor's counter shows; the tensor must have one.
std::int64_t version_of(const State& state, const Tensor& tensor);

}  // namespace plumbline::reference
