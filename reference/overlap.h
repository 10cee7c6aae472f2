// Overlapping memory: the errors of ops that check it late, and the elements that it makes unspecified.
#pragma once

#include <span>

#include "reference/memory.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference {

/// PyTorch's failure for a class with a single message.
Failure failure_of(ErrorClass error);

/// Marks as unspecified the elements of `written` that depend on the order in which `read`, each expanded to its sizes,
/// is read.
void mark_order(const Tensor& written, std::span<const Tensor> read, std::vector<Element>& elements);

}  // namespace plumbline::reference
