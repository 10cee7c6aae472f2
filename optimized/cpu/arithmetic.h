// What add, sub, mul and div compute, in loops.
#pragma once

#include "optimized/cpu/iterator.h"
#include "optimized/cpu/simd.h"
#include "optimized/elements/computed.h"
#include "optimized/tensor/scalar.h"

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

/// Computes in `dtype`, that of all operands, what `op` makes of `a` and `b`, both broadcast to `sizes`, which are
/// those of `out`. div of integers or bools, and sub of bools, never come here: they are refused before.
void compute(Arithmetic op, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
             Scalar alpha);

}  // namespace plumbline::optimized
