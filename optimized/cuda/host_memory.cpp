// The memory of CUDA on the host: the CPU can reach it only while a kernel or a copy runs.
#include "optimized/cuda/host_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include "optimized/tensor/error.h"
#include "optimized/tensor/pool.h"

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

/// A range of addresses, of which the free parts are known. The first one that is large enough is taken.
class Arena {
 public:
  std::byte* allocate(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (begin_ == nullptr) reserve(bytes);
    const std::size_t block = block_of(bytes);
    const auto part = std::ranges::find_if(free_, [&](const auto& one) { return one.second >= block; });
    if (block < bytes || part == free_.end()) raise_no_memory(bytes);
    const auto [offset, size] = *part;
    free_.erase(part);
    if (size > block) free_.emplace(offset + block, size - block);
    in_use_ += block;
    reached_ = std::max(reached_, offset + block);
    permit(begin_ + offset, bytes);
    protect(true);
    std::memset(begin_ + offset, kFresh, bytes);
    protect(open_ != 0);
    return begin_ + offset;
  }

  void release(std::byte* memory, std::size_t bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    std::size_t block = block_of(bytes);
    auto offset = static_cast<std::size_t>(memory - begin_);
    in_use_ -= block;
    forbid(memory, block);
    const auto after = free_.lower_bound(offset);
    if (after != free_.begin())
      if (const auto before = std::prev(after); before->first + before->second == offset) {
        offset = before->first;
        block += before->second;
        free_.erase(before);
      }
    if (after != free_.end() && offset + block == after->first) {
      block += after->second;
      free_.erase(after);
    }
    free_.emplace(offset, block);
    if (offset + block >= reached_) shrink_to(offset);
  }

  void open() {
    const std::scoped_lock lock(mutex_);
    if (open_++ == 0) protect(true);
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    if (--open_ == 0) protect(false);
  }

  std::size_t in_use() {
    const std::scoped_lock lock(mutex_);
    return in_use_;
  }

 private:
  static constexpr int kFresh = 0xCD;  ///< not initialised: anything

  static std::size_t block_of(std::size_t bytes) {
    return (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
  }

  void reserve(std::size_t for_bytes) {
    void* const at = mmap(nullptr, kHostMemory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) raise_no_memory(for_bytes);
    begin_ = static_cast<std::byte*>(at);
    free_.emplace(0, kHostMemory);
    forbid(begin_, kHostMemory);
  }
  /// What is after the last block stays closed: the time that this takes depends on what is in use.
  void protect(bool open) const {
    if (reached_ != 0 && mprotect(begin_, to_page(reached_), open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
      raise_no_memory(reached_);
  }
  /// Gives the pages after the last block back to the system, closed.
  void shrink_to(std::size_t end) noexcept {
    const std::size_t kept = to_page(end);
    const std::size_t given_back = to_page(reached_) - kept;
    reached_ = end;
    if (given_back == 0) return;
    static_cast<void>(madvise(begin_ + kept, given_back, MADV_DONTNEED));
    static_cast<void>(mprotect(begin_ + kept, given_back, PROT_NONE));
  }
  static std::size_t to_page(std::size_t bytes) {
    constexpr std::size_t kPage = 4096;
    return (bytes + kPage - 1) / kPage * kPage;
  }

  std::mutex mutex_;
  std::byte* begin_ = nullptr;
  std::map<std::size_t, std::size_t> free_;  ///< sizes by offset
  std::size_t reached_ = 0;                  ///< the end of the last block
  std::size_t in_use_ = 0;
  int open_ = 0;
};

/// Never destroyed: tensors of static storage may be used until the very end.
Arena& arena() {
  static auto* const made = new Arena;  // NOLINT(cppcoreguidelines-owning-memory)
  return *made;
}

void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  const HostAccess access;
  std::memcpy(to, from, bytes);
}

constexpr DeviceMemory kHost{
    [](std::size_t bytes) { return arena().allocate(bytes); },
    [](std::byte* memory, std::size_t bytes) noexcept { arena().release(memory, bytes); },
    copy,
    copy,
    copy,
    [] { return static_cast<std::int64_t>(arena().in_use()); },
};

}  // namespace

HostAccess::HostAccess() { arena().open(); }
HostAccess::~HostAccess() { arena().close(); }

const DeviceMemory& host_memory() { return kHost; }

}  // namespace plumbline::optimized::cuda
