// Calling ops of the optimized runtime by schema, and making tensors as Python does.
#pragma once

#include <span>
#include <vector>

#include "optimized/tensor/tensor.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::optimized {

/// Runs the op and returns its results; if the runtime is traced, `outcome` gets the kernels that ran. Throws what the
/// op throws, and Unsupported if an argument does not fit its schema.
std::vector<Tensor> call(const Call& call, std::span<const Tensor> slots, Outcome& outcome);

/// `torch.tensor(…)`.
Tensor make_tensor(const MakeTensor& make);

/// Throws Unsupported if the tensor, an input of a functionalized body, requires grad.
void refuse_grad(const Tensor& tensor);

}  // namespace plumbline::optimized
