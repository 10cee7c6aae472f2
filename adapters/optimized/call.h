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
/// A tensor that has the keys of one on the device meta, and no memory: no op may read it.
Tensor make_meta_tensor(const MakeMetaTensor& make);
/// Whether a tensor is one of those.
bool is_meta(const Tensor& tensor);

}  // namespace plumbline::optimized
