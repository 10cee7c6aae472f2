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

template <UnaryFunction kF, class T>
struct Valued {
  PLUMBLINE_HOST_DEVICE T operator()(T x) const { return value_at<kF>(x); }
};

template <Slope kSlope, class T>
struct Sloped {
  T limit;

  PLUMBLINE_HOST_DEVICE T operator()(T a, T b) const { return slope_at<kSlope>(a, b, limit); }
};

template <Relation kRelation, class T>
struct Holding {
  PLUMBLINE_HOST_DEVICE bool operator()(T a, T b) const { return holds<kRelation>(a, b); }
};

/// The second where the first, a bool as a number, is not 0; else the third.
template <class T>
struct Chosen {
  PLUMBLINE_HOST_DEVICE T operator()(T condition, T yes, T no) const { return condition != T(0) ? yes : no; }
};

/// The same element: in Pointwise a copy, or a conversion.
template <class T>
struct Same {
  PLUMBLINE_HOST_DEVICE T operator()(T a) const { return a; }
};

template <class T>
struct Scaled {
  T factor;

  PLUMBLINE_HOST_DEVICE T operator()(T a) const { return computed<Arithmetic::mul>(factor, a); }
};

/// The same number for each element.
template <class T>
struct Filled {
  T number;

  PLUMBLINE_HOST_DEVICE T operator()() const { return number; }
};

}  // namespace plumbline::optimized::cuda
