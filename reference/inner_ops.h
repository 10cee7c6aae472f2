// What a kernel leaves by the ops that it calls on its result.
#pragma once

#include "reference/kernels.h"

namespace plumbline::reference {

/// The results of unsafe_split where no Autograd kernel ran for it: `pieces`, each by the slice inside.
std::vector<TensorId> split_inside(const Judge& judge, State& state, const Arguments& arguments,
                                   const std::vector<Geometry>& pieces);
/// Raises what such an op raises before the kernel has looked at its arguments.
void check_inner_ops(const Judge& judge, State& state, OpId op, const Arguments& arguments);
/// Does what the ops do that the kernel of `op` calls, where no Autograd kernel ran for it: they are dispatched anew
/// and meet their own. Gives the results a history, or makes one a view, or raises (AUT-16, AUT-51, VIEW-18).
void call_inner_ops(const Judge& judge, State& state, OpId op, const Arguments& arguments,
                    std::vector<TensorId>& results);

}  // namespace plumbline::reference
