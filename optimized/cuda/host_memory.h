// The memory of CUDA on the host: the CPU can reach it only while a kernel or a copy runs.
#pragma once

#include "optimized/cuda/block_pool.h"
#include "optimized/tensor/device_memory.h"

namespace plumbline::optimized::cuda {

/// At most this much at once; more raises ErrorClass::memory.
inline constexpr std::size_t kHostMemory = std::size_t{1} << 30U;

/// Opens the memory for a scope, on any number of threads. Outside, an access is a segmentation fault: as on a device,
/// nothing but kernels and copies may touch it.
class HostAccess {
 public:
  HostAccess();
  ~HostAccess();
  HostAccess(const HostAccess&) = delete;
  HostAccess& operator=(const HostAccess&) = delete;
};

const DeviceMemory& host_memory();
BlockPool& host_pool();

/// Waits for all work, and gives memory that is kept for later blocks back to the system.
void give_back_host_memory();

}  // namespace plumbline::optimized::cuda
