// Tests with tensors of CUDA, whose kernels run on the host.
#pragma once

#include <gtest/gtest.h>

#include "optimized/cuda/host.h"
#include "optimized/tests/on_device.h"

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

inline Tensor to_cuda(const Tensor& self) { return on_device(self, Backend::CUDA); }

}  // namespace plumbline::optimized::testing
