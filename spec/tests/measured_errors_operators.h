// Messages of PyTorch 2.13 about operators that a program defines.
#pragma once

#include "spec/tests/measured_errors.h"

namespace plumbline {

inline constexpr auto kMeasuredOperators = std::to_array<Measured>({
    Measured{ErrorClass::math_bit,
             "torch.Tensor.view is not supported for conjugate view tensors when converting to a different dtype."},
    Measured{
        ErrorClass::math_bit,
        "torch.Tensor.view is not supported for tensors with negative bit set when converting to a different dtype."},
    Measured{
        ErrorClass::math_bit,
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view "
        "it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the "
        "original."},
    Measured{
        ErrorClass::no_kernel,
        "Could not run 'mine::f' with arguments from the 'CPU' backend. This could be because the operator doesn't "
        "exist for this backend, or was omitted during the selective/custom build process (if using custom build). "
        "If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for "
        "possible resolutions. 'mine::f' is only available for these backends: [Meta, BackendSelect]."},
    Measured{ErrorClass::unknown_operator, "'_OpNamespace' 'mine' object has no attribute 'f'"},
    Measured{
        ErrorClass::defined_twice,
        "Tried to register an operator (mine::f(Tensor x) -> Tensor) with the same name and overload name multiple "
        "times. Each overload's schema should only be registered with a single call to def(). Duplicate "
        "registration: registered at /tmp/probe.py:6. Original registration: registered at /tmp/probe.py:6"},
    Measured{ErrorClass::defined_twice,
             "Only a single TORCH_LIBRARY can be used to register the namespace mine2; please put all of your "
             "definitions in a single TORCH_LIBRARY block.  If you were trying to specify implementations, consider "
             "using TORCH_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a "
             "single namespace in a distributed way, you can use TORCH_LIBRARY_FRAGMENT to explicitly indicate this."},
    Measured{ErrorClass::no_kernel,
             "pm3::f: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel "
             "registered. You may have run into this message while using an operator with PT2 compilation APIs "
             "(torch.compile/torch.export); in order to use this operator with those APIs you'll need to add a fake "
             "impl. Please see the following for next steps:  "
             "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"},
    Measured{ErrorClass::no_kernel, "no kernel for CPU on pm::f"},
    Measured{ErrorClass::unknown_operator, "operator pm::g does not exist"},
    Measured{ErrorClass::library_kind,
             "Fallback can only be registered using library fragment on the global namespace \"_\" but it is pm"},
    Measured{ErrorClass::unknown_key, "could not parse dispatch key: NoSuch"},
    Measured{
        ErrorClass::fallback_twice,
        "Tried to register multiple backend fallbacks for the same dispatch key AutogradCPU; previous registration "
        "registered at /__w/pytorch/pytorch/aten/src/ATen/core/VariableFallbackKernel.cpp:66, new registration "
        "registered at /tmp/m.py:11"},
    Measured{ErrorClass::alias_query, "Alias keys do not have runtime kernel registrations."},
    Measured{ErrorClass::ambiguous_kernels,
             "0 INTERNAL ASSERT FAILED at \"/__w/pytorch/pytorch/aten/src/ATen/core/boxing/KernelFunction.cpp\":23, "
             "please report a bug to PyTorch. pm::f has kernels registered to both CompositeImplicitAutograd and a "
             "backend mapped to AutogradOther. This makes the backend kernel unreachable; the dispatcher will always "
             "prefer the CompositeImplicitAutograd lowering (see Note [Ambiguity in AutogradOther kernel]). If you "
             "want to override CompositeImplicitAutograd, please open an issue to request a dedicated Autograd "
             "dispatch key for the backend."},
    Measured{ErrorClass::library_kind,
             "def(\"g\"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.  All def()s should be placed "
             "in the (unique) TORCH_LIBRARY block for their namespace.  (Error occurred while processing "
             "TORCH_LIBRARY_IMPL block at /tmp/probe.py:15)"},
});

}  // namespace plumbline
