// A program's own operators: which kernel a call runs, and what Autograd's fallback does where there is none.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// What a program registers with `torch.library`. Raise `defined_twice` and `library_kind`, and then change nothing.
/// Throw ReferenceLimit for a library that is not there, because an error prevented it.
void make_library(const Judge& judge, State& state, const MakeLibrary& make);
void define_operator(const Judge& judge, State& state, const DefineOperator& define);
void add_kernel(const Judge& judge, State& state, const AddKernel& add);
void drop_library(const Judge& judge, State& state, const DropLibrary& drop);

/// Executes a call of `State::operators` and binds its results. Raises what a kernel raises, `no_kernel` and
/// `unknown_operator`; what kernels did before the error stays. Throws ReferenceLimit if kernels call each other deeper
/// than kDeepestKernels.
void invoke(const Judge& judge, State& state, const Invoke& invoke);

/// Raises an error if a functionalized body refuses this operator (FUN-37).
void check_aliasing_operator(const Judge& judge, const CustomOperator& op);

}  // namespace plumbline::reference
