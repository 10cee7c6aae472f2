// Counts the calls of glibc's malloc; loaded by LD_PRELOAD.
#include "bench/malloc/counts.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

// glibc's own functions, by the names that it has for this purpose.
extern "C" {
void* __libc_malloc(std::size_t bytes);                           // NOLINT(bugprone-reserved-identifier): glibc's
void* __libc_calloc(std::size_t count, std::size_t bytes);        // NOLINT(bugprone-reserved-identifier): glibc's
void* __libc_realloc(void* block, std::size_t bytes);             // NOLINT(bugprone-reserved-identifier): glibc's
void* __libc_memalign(std::size_t alignment, std::size_t bytes);  // NOLINT(bugprone-reserved-identifier): glibc's
void __libc_free(void* block);                                    // NOLINT(bugprone-reserved-identifier): glibc's
}

namespace {

constinit std::atomic<std::int64_t> calls{0};
constinit std::atomic<std::int64_t> live{0};
constinit std::atomic<std::int64_t> peak{0};

void grow(std::int64_t bytes) {
  const std::int64_t now = live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t most = peak.load(std::memory_order_relaxed);
  while (now > most && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}

void* counted(void* block) {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (block != nullptr) grow(static_cast<std::int64_t>(malloc_usable_size(block)));
  return block;
}
void uncount(void* block) {
  if (block != nullptr) live.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(block)), std::memory_order_relaxed);
}

}  // namespace

extern "C" {

PlumblineMallocCounts plumbline_malloc_counts() { return {calls.load(), live.load(), peak.load()}; }
void plumbline_malloc_begin_peak() { peak.store(live.load()); }

void* malloc(std::size_t bytes) { return counted(__libc_malloc(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) { return counted(__libc_calloc(count, bytes)); }
void* realloc(void* block, std::size_t bytes) {
  uncount(block);
  return counted(__libc_realloc(block, bytes));
}
void* memalign(std::size_t alignment, std::size_t bytes) { return counted(__libc_memalign(alignment, bytes)); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return counted(__libc_memalign(alignment, bytes)); }
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  void* made = counted(__libc_memalign(alignment, bytes));
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}
void free(void* block) {
  uncount(block);
  __libc_free(block);
}
}
