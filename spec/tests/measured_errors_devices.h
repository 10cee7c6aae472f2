// PyTorch's messages about tensors of two devices.
#pragma once

#include <array>
#include <string_view>

#include "spec/tests/measured_errors.h"

namespace plumbline {

// As LibTorch 2.13.0 gave them on the devices meta and cpu.
inline constexpr auto kMeasuredDevices = std::to_array<Measured>({
    Measured{ErrorClass::device,
             "Expected all tensors to be on the same device, but found at least two devices, meta and cpu!"},
    Measured{ErrorClass::device, "Trying to pass too many CPU scalars to non-CPU kernel!"},
    Measured{ErrorClass::device,
             "Attempted to set the storage of a tensor on device \"cpu\" to a storage on different device \"meta\".  "
             "This is no longer allowed; the devices must match."},
    Measured{
        ErrorClass::device,
        "attempting to assign a gradient with device type 'cpu' to a tensor with device type 'meta'. Please ensure "
        "that the gradient and the tensor are on the same device"},
    Measured{ErrorClass::device, "invalid gradient at index 0 - expected device meta but got cpu"},
    Measured{ErrorClass::device,
             "Function SelectScatterBackward0 returned an invalid gradient at index 1 - expected device cpu but got "
             "meta"},
});

/// How messages begin that only a kernel on a GPU gives. Their texts are in the libraries of 2.13 and 1.13; no one has
/// provoked them yet.
inline constexpr auto kNotProvoked = std::to_array<std::string_view>({
    "Expected all tensors to be on the same device, but got {} is on {}, different from other tensors on {}",
    "Expected all tensors to be on the same device, but found at least two devices, {} and {}! (when checking",
    "expected self and mask to be on the same device, but got mask on {}",
});

}  // namespace plumbline
