// What an op does in a mapped body: its kernel on each example, put together.
#pragma once

#include "reference/kernels.h"
#include "reference/transforms/levels.h"

namespace plumbline::reference::transforms {

/// The effect of a call on the tensors of all examples. In fresh results and in views the examples are in the first
/// dimensions, an axis each. `state` is as before afterwards. Raises the op's errors; throws ReferenceLimit for ops
/// whose effect on several examples is not specified here.
Effect mapped_meaning(const Judge& judge, State& state, OpId op, std::span<const Value> values, const Mapping& mapping,
                      Tape* tape = nullptr);

}  // namespace plumbline::reference::transforms
