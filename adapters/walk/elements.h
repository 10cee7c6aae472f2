// Reading values from memory, so that reading them calls no op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "spec/vocabulary/dtype.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::walk {

/// Where a tensor's elements are in its storage.
struct Layout {
  std::span<const std::int64_t> sizes, strides;
  std::int64_t offset = 0;
  std::int64_t numel = 0;
};

/// The elements in row-major order, as in Field::values; a Failure if some are outside the storage of `bytes` bytes.
/// Throws Unsupported for more than 2^20 elements.
Reading values(const Layout& layout, Dtype dtype, const void* storage, std::int64_t bytes);

}  // namespace plumbline::walk
