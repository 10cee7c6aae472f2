// Calling ops as Python does: boxed through the dispatcher by schema, and the few things that Python makes itself.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "spec/statement.h"

namespace plumbline::libtorch {

/// The tensors that a program's variables hold; an undefined one is not assigned yet.
using Slots = std::vector<at::Tensor>;

/// The tensor in `slot`. Throws Unsupported where there is none.
const at::Tensor& held(std::span<const at::Tensor> slots, Slot slot);

/// Runs the op and returns its results. Throws what the op throws, and Unsupported where an argument does not fit its
/// schema.
std::vector<at::Tensor> call(const Call& call, std::span<const at::Tensor> slots);

/// `torch.tensor(…)`.
at::Tensor make_tensor(const MakeTensor& make);

}  // namespace plumbline::libtorch
