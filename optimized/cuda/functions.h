// The functions of elements that pointwise kernels compute.
#pragma once

#include "optimized/elements/computed.h"
#include "optimized/elements/host_device.h"

namespace plumbline::optimized::cuda {

/// add, sub, mul, div, or `a + alpha * b`.
template <Arithmetic kOp, class T>
struct Computed {
  T alpha = T(1);  ///< counts in add_scaled alone

  PLUMBLINE_HOST_DEVICE T operator()(T a, T b) const { return computed<kOp>(a, b, alpha); }
};

/// The same element: in Pointwise a copy, or a conversion.
template <class T>
struct Same {
  PLUMBLINE_HOST_DEVICE T operator()(T a) const { return a; }
};

/// The same number for each element.
template <class T>
struct Filled {
  T number;

  PLUMBLINE_HOST_DEVICE T operator()() const { return number; }
};

}  // namespace plumbline::optimized::cuda
