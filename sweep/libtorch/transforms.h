// Calls under functorch's layers, and calls that are followed by a backward.
#pragma once

#include <functional>

#include "sweep/experiment.h"

namespace plumbline::sweep::libtorch {

/// Under functionalization, as torch.func.functionalize. What is read of the made tensors has been written back.
void call_functionalized(const Experiment& experiment, Observation& seen);

/// Under torch.func.vmap, over two examples: the values as given, and in reverse order. Random numbers differ between
/// the examples. A result's first dimension is that of the examples.
void call_batched(const Experiment& experiment, Observation& seen);

/// With inputs that require grad. Then `disturbed` is written to, and the gradients of all results are computed.
void call_with_backward(const Experiment& experiment, Observation& seen);

/// In the other settings.
void call_plainly(const Experiment& experiment, Observation& seen);

/// Calls, and notes the error, if it is one of the operator's. Throws Unsupported.
void observe(Observation& seen, const std::function<void()>& call);

}  // namespace plumbline::sweep::libtorch
