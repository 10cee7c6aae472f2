// The arguments of a program's own operators: tensors, lists of them, numbers.
#pragma once

#include <vector>

#include "reference/state.h"

namespace plumbline::reference {

/// The values of the arguments of a call of `op`. Throws std::logic_error for a number that no kernel was given.
std::vector<Given> given_values(const State& state, const CustomOperator& op, const std::vector<Value>& values);

/// The call with the numbers that the kernel around it was given. Throws as above.
Call with_numbers(const State& state, Call call);

/// The tensors among the arguments, also those of lists, in order.
std::vector<TensorId> tensors_in(const std::vector<Given>& arguments);
/// The same arguments with other tensors, as many as tensors_in gives.
std::vector<Given> with_tensors(std::vector<Given> arguments, const std::vector<TensorId>& tensors);

/// The keys that the arguments bring to a call (DSP-36).
KeySet<Concrete> keys_of_arguments(const Judge& judge, const State& state, const std::vector<Given>& arguments);

}  // namespace plumbline::reference
