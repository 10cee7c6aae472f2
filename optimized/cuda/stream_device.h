// What streams need of the device: a GPU, or the host in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "optimized/cuda/block_pool.h"
#include "optimized/cuda/mark.h"

namespace plumbline::optimized::cuda {

struct StreamDevice {
  /// The device's own name for a stream, which is made if it is new.
  void* (*handle)(std::uint32_t stream);
  std::shared_ptr<const Mark> (*mark)(std::uint32_t stream);
  void (*synchronize)(std::uint32_t stream);
  BlockPool& (*pool)();
  /// Raises ErrorClass::memory; `bytes` is at least 1.
  std::byte* (*allocate_pinned)(std::size_t bytes);
  void (*release_pinned)(std::byte* memory) noexcept;
  /// Both start a copy in the thread's stream; on the CPU's side is pinned memory.
  void (*copy_to_device)(std::byte* to, const std::byte* from, std::size_t bytes);
  void (*copy_to_host)(std::byte* to, const std::byte* from, std::size_t bytes);
};

/// Gives streams their device, before any thread uses one.
void set_stream_device(const StreamDevice& device);

}  // namespace plumbline::optimized::cuda
