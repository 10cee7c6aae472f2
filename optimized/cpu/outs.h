// What an op looks at before it gives `out` its sizes and writes it, beyond what pointwise ops look at.
#pragma once

#include <initializer_list>

#include "optimized/ops/boxed.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// A dtype as C++ names it: "float", "long int" [caffe2::TypeMeta].
const char* type_name(Dtype dtype);

/// Raises dtype_cast where `out` is of another dtype than the result.
void check_out_dtype(const Tensor& out, Dtype result);
/// Raises overlap_internal or overlap_partial where `out`, once it has these sizes and strides (row-major where there
/// are none), overlaps itself or shares memory with an input: of ops that read an element late or more than once.
void check_out_overlap(const Tensor& out, IntList sizes, IntList strides, std::initializer_list<TensorList> inputs);

/// Raises that an op has no kernel for a dtype [ATen/Dispatch.h].
[[noreturn]] void raise_no_kernel(const char* kernel, Dtype dtype);

}  // namespace plumbline::optimized
