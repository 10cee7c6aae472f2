// One number for all elements of a tensor.
#pragma once

#include "optimized/tensor/scalar.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// Writes `number`, which `self`'s dtype can hold (checks.h, checked_number), to each element; elements may share
/// memory.
void fill_elements(const Tensor& self, Scalar number);

}  // namespace plumbline::optimized
