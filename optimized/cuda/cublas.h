// cuBLAS, which multiplies matrices of floats on a GPU. It is loaded when the device starts, so building needs none.
#pragma once

#include <string>

#include "optimized/cuda/product.h"

namespace plumbline::optimized::cuda::cublas {

/// Loads it. Returns why it cannot be used, and what to do; empty if it can.
std::string load();

/// Starts the product in a stream (a cudaStream_t), in the dtype's own precision: float32 without TF32. Raises
/// ErrorClass::unclassified if cuBLAS refuses it. After `load`. If several streams multiply at once, the last bits may
/// change from run to run [docs.nvidia.com/cuda/cublas, Results Reproducibility].
void gemm(const Gemm& it, void* stream);

}  // namespace plumbline::optimized::cuda::cublas
