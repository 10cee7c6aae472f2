// Reading the state of tensors and of the thread as Python shows it, without changing anything.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "spec/vocabulary/observation.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Reads a field of the tensor in `slots[slot]`. Throws what Python raises when it reads the field.
Reading read(std::span<const at::Tensor> slots, std::size_t slot, Field field);

/// Reads a field of the thread.
Reading read(ThreadField field);

}  // namespace plumbline::libtorch
