// Messages as PyTorch 1.13.1 (Debian's python3-torch) words them, where the wording differs from 2.13's.
#pragma once

#include "spec/tests/measured_errors.h"

namespace plumbline {

inline constexpr auto kMeasured113 = std::to_array<Measured>({
    Measured{ErrorClass::pack_writes,
             "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not "
             "be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if "
             "you need to perform in-place operations on the input to a pack hook."},
    Measured{ErrorClass::input_unused,
             "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
             "this is the desired behavior."},
    Measured{ErrorClass::dtype_mismatch, "self and mat2 must have the same dtype"},
    Measured{ErrorClass::dtype_mismatch, "mat1 and mat2 must have the same dtype"},
    Measured{ErrorClass::grad_shape, "assigned grad has data of a different type"},
    Measured{ErrorClass::grad_shape, "assigned grad has data of a different size"},
    Measured{ErrorClass::inference_saved,
             "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal "
             "tensor and use it in autograd."},
    Measured{ErrorClass::grad_dtype,
             "isDifferentiableType(variable.scalar_type()) INTERNAL ASSERT FAILED at "
             "\"./torch/csrc/autograd/functions/utils.h\":75, please report a bug to PyTorch. "},
    Measured{ErrorClass::range, "invalid shape dimension -2"},
    Measured{ErrorClass::dtype_mismatch, "expected scalar type Float but found Long"},
    Measured{ErrorClass::dtype_mismatch,
             "source.dtype() == self.dtype() INTERNAL ASSERT FAILED at "
             "\"./torch/csrc/autograd/generated/python_variable_methods.cpp\":16761, please report a bug to PyTorch. "},
    Measured{ErrorClass::internal,
             "!grad_fn INTERNAL ASSERT FAILED at \"./torch/csrc/autograd/variable.cpp\":792, please report a bug to "
             "PyTorch. "},
    Measured{ErrorClass::shape,
             "Size does not match at dimension 0 expected index [3, 2] to be smaller than self [1, 2] apart from "
             "dimension 1"},
    Measured{ErrorClass::dtype_mismatch, "gather(): Expected dtype int64 for index"},
    Measured{ErrorClass::internal,
             "creation_meta == CreationMeta::DEFAULT INTERNAL ASSERT FAILED at "
             "\"./torch/csrc/autograd/variable.cpp\":201, please report a bug to PyTorch. "},
    Measured{ErrorClass::internal,
             "saved_for INTERNAL ASSERT FAILED at \"./torch/csrc/autograd/saved_variable.cpp\":146, please report a "
             "bug to PyTorch. No grad_fn for non-leaf saved tensor"},
    Measured{ErrorClass::no_kernel,
             "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no "
             "fallback function is registered for schema mine::f.  This usually means that this function requires a "
             "non-empty list of Tensors, or that you (the operator writer) forgot to register a fallback function.  "
             "Available functions are [CPU, Meta, BackendSelect, Python]."},
    Measured{
        ErrorClass::internal,
        "0 INTERNAL ASSERT FAILED at \"./aten/src/ATen/core/boxing/KernelFunction.cpp\":14, "
        "please report a bug to PyTorch. fallthrough_kernel was executed but it should have been short-circuited by "
        "the dispatcher. This could occur if you registered a fallthrough kernel as a override for a specific operator "
        "(as opposed to a backend fallback); this is NOT currently supported, and we do not intend to add support for "
        "it in the near future.  If you do find yourself in need of this, let us know in the bug tracker."},
    Measured{
        ErrorClass::internal,
        "expected_k._equalsBoxedAndUnboxed(dispatchTable_[idx]) INTERNAL ASSERT FAILED at "
        "\"./aten/src/ATen/core/dispatch/OperatorEntry.cpp\":459, please report a bug to PyTorch. Canonical state"},
    Measured{ErrorClass::not_functional,
             "!at::functionalization::impl::isFunctionalTensor(base) INTERNAL ASSERT FAILED at "
             "\"./aten/src/ATen/FunctionalStorageImpl.cpp\":19, please report a bug to PyTorch. "},
    Measured{ErrorClass::not_functional,
             "!schema.hasAnyAliasInfo() INTERNAL ASSERT FAILED at "
             "\"./aten/src/ATen/FunctionalizeFallbackKernel.cpp\":30, please report a bug to PyTorch. mutating "
             "and aliasing ops should all have codegen'd kernels"},
});

}  // namespace plumbline
