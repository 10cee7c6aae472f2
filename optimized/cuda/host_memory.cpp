// The memory of CUDA on the host: the CPU can reach it only while a kernel or a copy runs.
#include "optimized/cuda/host_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "optimized/cuda/block_pool.h"
#include "optimized/cuda/host_stream.h"
#include "optimized/cuda/recording.h"
#include "optimized/cuda/streams.h"
#include "optimized/tensor/error.h"

#if defined(__SANITIZE_ADDRESS__)
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): AddressSanitizer's own functions
extern "C" void __asan_poison_memory_region(const volatile void* begin, std::size_t bytes);
extern "C" void __asan_unpoison_memory_region(const volatile void* begin, std::size_t bytes);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#endif

namespace plumbline::optimized::cuda {

namespace {

/// Says which bytes no one may touch, to AddressSanitizer.
void forbid([[maybe_unused]] std::byte* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(begin, bytes);
#endif
}
void permit([[maybe_unused]] std::byte* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(begin, bytes);
#endif
}

/// The pieces from which the pool makes blocks. The CPU can reach them only while they are open.
class Pieces {
 public:
  std::byte* take(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    void* const at = mmap(nullptr, bytes, protection(), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    auto* const piece = static_cast<std::byte*>(at);
    pieces_.emplace(piece, bytes);
    forbid(piece, bytes);
    return piece;
  }
  void give_back(std::byte* piece, std::size_t bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    pieces_.erase(piece);
    permit(piece, bytes);
    static_cast<void>(munmap(piece, bytes));
  }

  void open() {
    const std::scoped_lock lock(mutex_);
    if (open_++ == 0) protect();
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    if (--open_ == 0) protect();
  }

 private:
  int protection() const { return open_ != 0 ? PROT_READ | PROT_WRITE : PROT_NONE; }
  void protect() const {
    for (const auto& [piece, bytes] : pieces_)
      if (mprotect(piece, bytes, protection()) != 0) raise_no_memory(bytes);
  }

  std::mutex mutex_;
  std::map<std::byte*, std::size_t> pieces_;  ///< their bytes
  int open_ = 0;
};

/// Never destroyed: tensors of static storage may be used until the very end.
Pieces& pieces() {
  static auto* const made = new Pieces;  // NOLINT(cppcoreguidelines-owning-memory)
  return *made;
}

constexpr MemorySource kSource{
    [](std::size_t bytes) { return pieces().take(bytes); },
    [](std::byte* piece, std::size_t bytes) noexcept { pieces().give_back(piece, bytes); },
    synchronize,
    mark_on_host,
};

/// Never destroyed, as the pieces.
BlockPool& pool() {
  static auto* const made = new BlockPool(kSource, kHostMemory);  // NOLINT(cppcoreguidelines-owning-memory)
  return *made;
}

/// Memory that nothing wrote has no zeros.
constexpr int kFresh = 0xCD;

std::byte* allocate(std::size_t bytes) {
  if (Recording* const recording = Recording::here()) {
    std::byte* const block = recording->allocate(bytes);
    // Before all that is recorded, which may still read what was here: so it is not written.
    start([block, bytes] { permit(block, bytes); });
    return block;
  }
  std::byte* const block = pool().allocate(bytes, current_stream().number);
  start([block, bytes] {
    permit(block, bytes);
    std::memset(block, kFresh, bytes);
  });
  return block;
}

void release(std::byte* block, std::size_t /*bytes*/) noexcept {
  if (Recording* const recording = Recording::here()) return recording->release(block);
  if (const auto next = pool().next_use(block))
    start_in(next->stream, [block, bytes = next->bytes] { forbid(block, bytes); });
  pool().release(block);
}

void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto copies = [=] { start([=] { std::memcpy(to, from, bytes); }); };
  if (Recording* const recording = Recording::here()) return recording->add(copies);
  copies();
}

/// Like CUDA's, it has read the CPU's memory when it returns.
void copy_from_cpu(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (Recording* const recording = Recording::here()) recording->observe();
  start([to, staged = std::vector(from, from + bytes)] { std::ranges::copy(staged, to); });
}

void copy_to_cpu(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (Recording* const recording = Recording::here()) recording->observe();
  synchronize_on_host(current_stream().number);
  const HostAccess access;
  std::memcpy(to, from, bytes);
}

constexpr DeviceMemory kHost{
    allocate,    release,       copy,
    copy_to_cpu, copy_from_cpu, [] { return static_cast<std::int64_t>(pool().counts().in_use); },
};

}  // namespace

HostAccess::HostAccess() { pieces().open(); }
HostAccess::~HostAccess() { pieces().close(); }

const DeviceMemory& host_memory() { return kHost; }

BlockPool& host_pool() { return pool(); }

void give_back_host_memory() { pool().give_back_unused(); }

}  // namespace plumbline::optimized::cuda
