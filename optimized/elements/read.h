// Reading elements on the CPU, wherever they are.
#pragma once

#include <cstdint>
#include <optional>

#include "optimized/tensor/scalar.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// The element of a tensor that has exactly one.
Scalar only_element(const Tensor& tensor);

/// The first index, of int64 or int32, that names no place of a dimension of this size, in row-major order; nothing if
/// each one does.
std::optional<std::int64_t> first_out_of_range(const Tensor& index, std::int64_t size);

}  // namespace plumbline::optimized
