// The specification's dtypes in LibTorch.
#pragma once

#include <c10/core/ScalarType.h>

#include <string>

#include "spec/vocabulary/dtype.h"

namespace plumbline::libtorch {

at::ScalarType scalar_type(Dtype dtype);

/// Python's name without "torch.": "float32"; for a dtype that the specification does not have, c10's name.
std::string dtype_name(at::ScalarType type);

}  // namespace plumbline::libtorch
