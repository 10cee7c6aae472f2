// Messages of PyTorch 2.13 about operators that a program defines.
#pragma once

#include "spec/tests/measured_errors.h"

namespace plumbline {

inline constexpr auto kMeasuredOperators = std::to_array<Measured>({
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
    Measured{ErrorClass::library_kind,
             "def(\"g\"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.  All def()s should be placed "
             "in the (unique) TORCH_LIBRARY block for their namespace.  (Error occurred while processing "
             "TORCH_LIBRARY_IMPL block at /tmp/probe.py:15)"},
});

}  // namespace plumbline
