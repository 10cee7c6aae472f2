// A program's own operators: which kernel a call runs, and what Autograd's fallback does where there is none.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// The script's operator of this number, which it must have.
const CustomOperator& operator_at(const State& state, std::int32_t number);

/// Executes a call of `State::operators` and binds its results. Raises what a kernel raises, `no_kernel` and
/// `unknown_operator`; what kernels did before the error stays. Throws ReferenceLimit if kernels call each other deeper
/// than kDeepestKernels.
void invoke(const Judge& judge, State& state, const Invoke& invoke);

/// Adds a text to the log; the key set is that of the innermost kernel.
void append_to_log(const Judge& judge, State& state, const AppendToLog& append);

/// Raises an error if a functionalized body refuses this operator (FUN-37).
void check_aliasing_operator(const Judge& judge, const CustomOperator& op);
/// The same for a composite op of PyTorch's that writes an argument.
void check_writing_composite(const Judge& judge, const Op& op);

}  // namespace plumbline::reference
