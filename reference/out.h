// Writing a functional op's result into `out`, for ops whose out= form does only that.
#pragma once

#include <functional>

#include "reference/kernels.h"

namespace plumbline::reference {

/// Writes the result of `compute` into the call's last argument as a pointwise op does: overlap is checked before
/// `compute` is called, then sizes and dtype; the result is converted to out's dtype.
Effect write_pointwise_out(const KernelCall& call, const std::function<Fresh()>& compute);

/// Writes `result` into the call's last argument, which has its dtype and is resized to its sizes; checks nothing else.
Effect write_whole_out(const KernelCall& call, const Fresh& result);

}  // namespace plumbline::reference
