// The loops of add, sub, mul and div.
#pragma once

#include "optimized/cpu/simd.h"
#include "optimized/elements/computed.h"

namespace plumbline::optimized {

/// The loops for what needs no alpha; of T that is not bool.
template <Arithmetic kOp, class T>
const simd::Binary<T>& loops_of() {
  const simd::Loops<T>& all = simd::loops<T>();
  if constexpr (kOp == Arithmetic::add) return all.add;
  if constexpr (kOp == Arithmetic::sub) return all.sub;
  if constexpr (kOp == Arithmetic::mul) return all.mul;
  if constexpr (kOp == Arithmetic::div) return all.div;
}

}  // namespace plumbline::optimized
