// The memory that tensors share, in one block with its header until it grows.
#include "optimized/tensor/storage.h"

#include <cstring>

#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void Storage::raise_too_large(std::size_t bytes) { raise_no_memory(bytes); }

void Storage::grow(std::size_t bytes) {
  if (bytes <= bytes_) return;
  auto* data = static_cast<std::byte*>(allocate(bytes));
  std::memcpy(data, data_, bytes_);
  if (grown_ != 0) release(data_, grown_);
  data_ = data;
  bytes_ = bytes;
  grown_ = bytes;
}

}  // namespace plumbline::optimized
