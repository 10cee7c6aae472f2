// What an op checks before it gives `out` its sizes, in addition to what pointwise ops check, and how it writes it.
#pragma once

#include <initializer_list>

#include "optimized/ops/boxed.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// A dtype as C++ names it: "float", "long int" [caffe2::TypeMeta].
const char* type_name(Dtype dtype);

/// Raises dtype_cast if `out` has another dtype than the result.
void check_out_dtype(const Tensor& out, Dtype result);
/// Raises overlap_internal or overlap_partial if `out`, with these sizes and strides (row-major if there are none),
/// overlaps itself or shares memory with an input: for ops that read an element late or more than once.
void check_out_overlap(const Tensor& out, IntList sizes, IntList strides, std::initializer_list<TensorList> inputs);

/// Raises that an op has no kernel for a dtype [ATen/Dispatch.h].
[[noreturn]] void raise_no_kernel(const char* kernel, Dtype dtype);

/// Gives `out` the sizes of `result`, and its elements in out's own dtype.
void store_result(const Tensor& result, const Tensor& out);

}  // namespace plumbline::optimized
