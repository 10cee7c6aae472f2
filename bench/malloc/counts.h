// What bench/malloc counts, for the process into which it is loaded.
#pragma once

#include <cstdint>

extern "C" {

/// Since the process started, in all threads.
struct PlumblineMallocCounts {
  std::int64_t calls;       ///< that asked for memory
  std::int64_t live_bytes;  ///< in blocks that are in use, as malloc rounds them up
};
PlumblineMallocCounts plumbline_malloc_counts();
}
