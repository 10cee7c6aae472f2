// Tensors on other devices than the CPU, for tests.
#pragma once

#include "optimized/dispatcher/thread_state.h"
#include "optimized/ops.h"
#include "optimized/tensor/device_memory.h"

namespace plumbline::optimized::testing {

/// The tensor on a device, as `to(device)` makes it.
inline Tensor on_device(const Tensor& self, Backend device) {
  return call<op::_to_copy>(self, std::optional<Dtype>(), std::optional<Enumerated>(),
                            std::optional<Enumerated>(device_number(device)), std::optional<bool>(), false,
                            std::optional<Enumerated>());
}
inline Tensor to_cpu(const Tensor& self) { return on_device(self, Backend::CPU); }

}  // namespace plumbline::optimized::testing
