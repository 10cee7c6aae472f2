// Gradients of what sees memory in its own way: views by sizes, strides and offset, and windows that overlap.
#pragma once

#include "optimized/cpu/layout.h"

namespace plumbline::optimized {

/// How many places of memory the layout reaches over from its offset on.
std::int64_t extent(const Layout& layout);

/// Zeros that hold the elements of two layouts of one memory, and where each begins in them.
struct SharedMemory {
  Tensor zeros;  ///< of one dimension
  std::int64_t first = 0;
  std::int64_t second = 0;
};
SharedMemory shared_memory(const Layout& first, const Layout& second, Dtype dtype);

/// Adds each element of `added` to the element of `memory`, of one dimension, at its place in the layout.
void add_at(const Tensor& memory, const Layout& layout, const Tensor& added);

/// The gradient of a tensor of the layout `input` from that of the view `output` of its memory. Where elements of the
/// input are one place of memory they share evenly [torch/csrc/autograd/FunctionsManual.cpp, as_strided_backward].
Tensor as_strided_gradient(const Tensor& gradient, const Layout& input, const Layout& output);

}  // namespace plumbline::optimized
