// Reading the state of tensors and of the thread, without changing anything.
#pragma once

#include <span>

#include "optimized/tensor/tensor.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::optimized {

/// Reads a field of the tensor in `slots[slot]`. Throws what Python raises when it reads the field.
Reading read(std::span<const Tensor> slots, std::size_t slot, Field field);

/// Reads a field of the thread.
Reading read(ThreadField field);

}  // namespace plumbline::optimized
