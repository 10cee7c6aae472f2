// Tests with tensors of CUDA, whose kernels run on the host.
#pragma once

#include <gtest/gtest.h>

#include "optimized/cuda/host.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/ops.h"

namespace plumbline::optimized::testing {

/// Gives the process its device once.
class OnCuda : public ::testing::Test {
 protected:
  OnCuda() {
    static const bool once = [] {
      cuda::run_on_the_host();
      return true;
    }();
    static_cast<void>(once);
    cuda::start_again();
  }
};

/// The tensor on a device, as `to(device)` makes it.
inline Tensor on_device(const Tensor& self, Backend device) {
  return call<op::_to_copy>(self, std::optional<Dtype>(), std::optional<Enumerated>(),
                            std::optional(static_cast<Enumerated>(device)), std::optional<bool>(), false,
                            std::optional<Enumerated>());
}
inline Tensor to_cuda(const Tensor& self) { return on_device(self, Backend::CUDA); }
inline Tensor to_cpu(const Tensor& self) { return on_device(self, Backend::CPU); }

}  // namespace plumbline::optimized::testing
