// Backends beside the CPU: the kernels of the ops, on another device.
#pragma once

#include <span>

#include "optimized/elements/primitives.h"
#include "optimized/tensor/device_memory.h"
#include "spec/ops/op_ids.h"

namespace plumbline::optimized {

/// Gives the process's dispatcher the kernels of a device, and the device its memory and primitives; once for a device,
/// before any op runs on it. Factories make tensors there where the thread's device or their option says so.
void register_backend(Backend device, const Primitives& all, const DeviceMemory& memory);
/// The same for a device that has no kernels for the ops that it `lacks`, and cpu_fallback_kernel for every operator
/// without a kernel at its key. Raises ErrorClass::option if one of them cannot fall back (may_fall_back).
void register_backend(Backend device, const Primitives& all, const DeviceMemory& memory, std::span<const OpId> lacks);

/// From now on each kernel of the device calls `before` first. If that raises, the call does nothing.
void do_before_kernels(Backend device, void (*before)());

}  // namespace plumbline::optimized
