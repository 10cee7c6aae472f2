// Messages as PyTorch 2.13.0 gave them in bodies that are functionalized, and about them.
#pragma once

#include "spec/tests/measured_errors.h"

namespace plumbline {

inline constexpr auto kMeasuredFunctionalized = std::to_array<Measured>({
    Measured{
        ErrorClass::not_functional,
        "During torch.compile, encountered a mutation on a view chain of length 2, where view 1 was an as_strided() "
        "call. as_strided() is non-compositional, and therefore is not possible to functionalize properly today,so "
        "this behavior is banned in compile. As a workaround, you can either remove the mutation from the model code, "
        "or you can insert a graph break right before the mutation with torch._dynamo.graph_break(). If you would like "
        "this behavior to work properly, please comment on https://github.com/pytorch/pytorch/issues/104505."},
    Measured{ErrorClass::not_functional,
             "Attempted to resize a view tensor to a larger size. This is not allowed in the functionalization pass"},
    Measured{
        ErrorClass::captured_write,
        "false INTERNAL ASSERT FAILED at "
        "\"/__w/pytorch/pytorch/build/aten/src/ATen/RegisterFunctionalization_0.cpp\":2290, please report a bug to "
        "PyTorch. mutating a non-functional tensor with a functional tensor is not allowed. Please ensure that all "
        "of your inputs are wrapped inside of a functionalize() call."},
    Measured{
        ErrorClass::not_functional,
        "!value_.key_set().has(c10::DispatchKey::Functionalize) INTERNAL ASSERT FAILED at "
        "\"/__w/pytorch/pytorch/aten/src/ATen/FunctionalTensorWrapper.cpp\":234, please report a bug to PyTorch. "},
    Measured{ErrorClass::not_functional,
             "!at::functionalization::impl::isFunctionalTensor(base_) INTERNAL ASSERT FAILED at "
             "\"/__w/pytorch/pytorch/aten/src/ATen/FunctionalStorageImpl.cpp\":105, please report a bug to PyTorch. "},
    Measured{ErrorClass::not_functional,
             "!at::functionalization::impl::isFunctionalTensor(tensor) INTERNAL ASSERT FAILED at "
             "\"/__w/pytorch/pytorch/aten/src/ATen/functorch/FunctionalizeInterpreter.cpp\":10, please report a bug to "
             "PyTorch. "},
    Measured{ErrorClass::not_functional,
             "While executing unfold, functionalization encountered a tensor being mutated that has internal overlap. "
             "When using torch.compile (or running functionalization directly), this is banned as the behavior is not "
             "well defined. Consider cloning the tensor before mutating it, or removing the mutation from your model."},
    Measured{ErrorClass::not_functional,
             "Found a custom (non-ATen) operator whose output has alias annotations: mine::f(Tensor(a!) x) -> "
             "Tensor(a!). We only support functionalizing operators whose outputs do not have alias "
             "annotations (e.g. 'Tensor(a)' is a Tensor with an alias annotation whereas 'Tensor' is a Tensor "
             "without. The '(a)' is the alias annotation). The alias annotation specifies that the output "
             "Tensor shares storage with an input that has the same annotation. Please check if (1) the output "
             "needs to be an output (if not, don't return it), (2) if the output doesn't share storage with "
             "any inputs, then delete the alias annotation. (3) if the output indeed shares storage with an "
             "input, then add a .clone() before returning it to prevent storage sharing and then delete the "
             "alias annotation. Otherwise, please file an issue on GitHub."},
});

}  // namespace plumbline
