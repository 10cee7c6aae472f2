// A program's own operators: which kernel a call runs, and what Autograd's fallback does where there is none.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// Executes a call of `State::operators` and binds its results. Raises what a kernel raises, and `no_kernel`; what
/// kernels did before the error stays. Throws ReferenceLimit if kernels call each other deeper than kDeepestKernels.
void invoke(const Judge& judge, State& state, const Invoke& invoke);

/// Raises an error if a functionalized body refuses this operator (FUN-37).
void check_aliasing_operator(const Judge& judge, const CustomOperator& op);

}  // namespace plumbline::reference
