// What bench/malloc counts, for the process into which it is loaded.
#pragma once

#include <cstdint>

extern "C" {

/// Since the process started, in all threads.
struct PlumblineMallocCounts {
  std::int64_t calls;       ///< that asked for memory
  std::int64_t live_bytes;  ///< in blocks that are in use, as malloc rounds them up
  std::int64_t peak_bytes;  ///< the most that were in use at a time since plumbline_malloc_begin_peak
};
PlumblineMallocCounts plumbline_malloc_counts();
void plumbline_malloc_begin_peak();
}
