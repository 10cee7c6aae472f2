// Pointwise arithmetic on two tensors of any sizes, strides and dtypes: what the fast paths leave.
#pragma once

#include "optimized/cpu/arithmetic.h"
#include "optimized/tensor/scalar.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Whether an alpha changes nothing.
inline bool is_one(Scalar alpha) { return alpha.kind() == Scalar::Kind::integer && alpha.integer() == 1; }

/// `op` is one of PyTorch's four, with the alpha that is given, of mul and div 1. Each raises what the op raises, and
/// then has changed nothing.
Tensor binary(Arithmetic op, const Tensor& a, const Tensor& b, Scalar alpha);
void binary_inplace(Arithmetic op, const Tensor& self, const Tensor& other, Scalar alpha);
void binary_out(Arithmetic op, const Tensor& a, const Tensor& b, Scalar alpha, const Tensor& out);

}  // namespace plumbline::optimized
