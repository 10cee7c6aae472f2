// Overlap: what an op raises that has looked at it late, and what is unspecified where memory overlaps.
#pragma once

#include <span>

#include "reference/memory.h"
#include "spec/observation.h"

namespace plumbline::reference {

/// PyTorch's failure of a class that has one message alone.
Failure failure_of(ErrorClass error);

/// Marks the elements of a write of `written` as unspecified that depend on the order in which `read`, each stretched
/// to its sizes, is read.
void mark_order(const Tensor& written, std::span<const Tensor> read, std::vector<Element>& elements);

}  // namespace plumbline::reference
