// Calling ops as Python does: boxed, through the dispatcher, by schema; and the few tensors that Python makes itself.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::libtorch {

/// Runs the op and returns its results. Throws what the op throws, and Unsupported if an argument does not fit its
/// schema.
std::vector<at::Tensor> call(const Call& call, std::span<const at::Tensor> slots);

/// `torch.tensor(…)`.
at::Tensor make_tensor(const MakeTensor& make);
/// `torch.empty(…, device="meta")`.
at::Tensor make_meta_tensor(const MakeMetaTensor& make);

}  // namespace plumbline::libtorch
