// From a dtype to the C++ type of its elements.
#pragma once

#include <cstdint>

#include "optimized/elements/host_device.h"
#include "optimized/tensor/error.h"
#include "spec/vocabulary/dtype.h"

namespace plumbline::optimized {

/// Calls `visit(T())` with the C++ type of `dtype`'s elements: float, double, std::int64_t, std::int32_t, bool.
template <class Visit>
PLUMBLINE_HOST_DEVICE decltype(auto) visit_dtype(Dtype dtype, Visit&& visit) {
  switch (dtype) {
    case Dtype::float32:
      return visit(float());
    case Dtype::float64:
      return visit(double());
    case Dtype::int64:
      return visit(std::int64_t());
    case Dtype::int32:
      return visit(std::int32_t());
    case Dtype::boolean:
      return visit(bool());
    default:  // no tensor has another one (empty_tensor)
#if defined(__CUDA_ARCH__)
      __trap();
#else
      refuse_dtype(dtype);
#endif
  }
}

}  // namespace plumbline::optimized
