// Backends beside the CPU: the kernels of the ops, on another device.
#pragma once

#include "optimized/elements/primitives.h"
#include "optimized/tensor/device_memory.h"

namespace plumbline::optimized {

/// Gives the process's dispatcher the kernels of a device, and the device its memory and primitives; once for a device,
/// before any op runs on it. Factories make tensors there where the thread's device or their option says so.
void register_backend(Backend device, const Primitives& all, const DeviceMemory& memory);

}  // namespace plumbline::optimized
