// Messages about hooks, as PyTorch 2.13.0 gave them.
#pragma once

#include "spec/tests/measured_errors.h"

namespace plumbline {

inline constexpr auto kMeasuredHooks = std::to_array<Measured>({
    Measured{ErrorClass::hook_not_leaf, "post accumulate grad hooks cannot be registered on non-leaf tensors"},
    Measured{ErrorClass::hook_requires_no_grad, "cannot register a hook on a tensor that doesn't require gradient"},
    Measured{ErrorClass::hook_result, "hook '<lambda>' has changed the size of value"},
    Measured{ErrorClass::hook_result,
             "hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)"},
    Measured{
        ErrorClass::pack_writes,
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
        "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you "
        "need to perform in-place operations on the input to a pack hook."},
});

}  // namespace plumbline
