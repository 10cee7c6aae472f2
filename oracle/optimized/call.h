// Calling ops of the optimized runtime by schema, and tensors made as Python makes them.
#pragma once

#include <span>
#include <vector>

#include "optimized/tensor/tensor.h"
#include "spec/observation.h"

namespace plumbline::optimized {

/// Runs the op and returns its results; where the runtime is traced, `outcome` shows the kernels that ran. Throws what
/// the op throws, and Unsupported where an argument does not fit its schema.
std::vector<Tensor> call(const Call& call, std::span<const Tensor> slots, Outcome& outcome);

/// `torch.tensor(…)`.
Tensor make_tensor(const MakeTensor& make);

/// Throws Unsupported where the tensor, which a functionalized body is given, requires grad.
void refuse_grad(const Tensor& tensor);

}  // namespace plumbline::optimized
