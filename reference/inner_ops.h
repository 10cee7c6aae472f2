// The effects of the ops that a kernel calls on its result.
#pragma once

#include "reference/kernels.h"
#include "reference/transforms/levels.h"

namespace plumbline::reference {

/// The results of unsafe_split if no Autograd kernel ran for it: `pieces`, each by the slice inside.
std::vector<TensorId> split_inside(const Judge& judge, State& state, const Arguments& arguments,
                                   const std::vector<Geometry>& pieces);
/// Raises the error that such an op raises before the kernel has checked its arguments. `mapping`: of a mapped call, or
/// null.
void check_inner_ops(const Judge& judge, State& state, OpId op, const Arguments& arguments,
                     const transforms::Mapping* mapping);
/// The ops that the kernel of `op` calls, if no Autograd kernel ran for it: they are dispatched again and reach their
/// own Autograd kernels. Gives the results a history, makes one a view, or raises an error (AUT-16, AUT-51, VIEW-18).
void call_inner_ops(const Judge& judge, State& state, OpId op, const Arguments& arguments,
                    std::vector<TensorId>& results);

}  // namespace plumbline::reference
