// The pools' slow paths: blocks that a thread's lists do not have come from lists that all threads share, then from the
// system; blocks that they do not keep go back the same way.
#include "optimized/tensor/pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace pool {

namespace {

/// What a thread's list may hold: a number of bytes, or a few blocks. Of the small blocks, which include tensors, it
/// holds a thousand, so that a thousand views can be made and dropped at once.
constexpr std::size_t kListBytes = std::size_t{64} * 1024;
constexpr std::size_t kFineListBytes = std::size_t{256} * 1024;
constexpr std::size_t kFewBlocks = 4;
/// What all threads together keep of larger blocks, in bytes.
constexpr std::int64_t kSharedBytes = std::int64_t{512} * 1024 * 1024;
/// No block is larger.
constexpr std::size_t kMost = std::size_t{1} << 62;
constexpr std::size_t kClasses = class_of(kMost) + 1;

std::uint32_t room_of(std::size_t list) {
  const std::size_t bytes = list < kFineClasses ? kFineListBytes : kListBytes;
  return static_cast<std::uint32_t>(std::max(bytes / class_bytes(list), kFewBlocks));
}

std::atomic<std::int64_t> live_bytes{0};
std::atomic<std::int64_t> system_calls{0};

/// Large blocks use huge pages if the system has them: fewer faults and fewer page-table walks. The rest after the last
/// whole huge page stays in small pages.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

void* from_system(std::size_t bytes) {
  void* block = nullptr;
  if (posix_memalign(&block, bytes >= kHugePage ? kHugePage : kBlockAlignment, bytes) != 0) raise_no_memory(bytes);
  if (bytes >= kHugePage)
    (void)madvise(block, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // if refused, it is only slower
  system_calls.fetch_add(1, std::memory_order_relaxed);
  live_bytes.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  return block;
}
void to_system(void* block, std::size_t bytes) {
  std::free(block);  // NOLINT(cppcoreguidelines-no-malloc): posix_memalign's
  live_bytes.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

/// Larger blocks, of all threads.
class Shared {
 public:
  void* take(std::size_t index) {
    const std::scoped_lock lock(mutex_);
    std::vector<void*>& blocks = blocks_[index];
    if (blocks.empty()) return nullptr;
    void* block = blocks.back();
    blocks.pop_back();
    kept_ -= static_cast<std::int64_t>(class_bytes(index));
    return block;
  }
  bool give(void* block, std::size_t index) {
    const auto bytes = static_cast<std::int64_t>(class_bytes(index));
    const std::scoped_lock lock(mutex_);
    if (kept_ + bytes > kSharedBytes) return false;
    try {
      blocks_[index].push_back(block);
    } catch (const std::bad_alloc&) {
      return false;
    }
    kept_ += bytes;
    return true;
  }
  std::int64_t kept() {
    const std::scoped_lock lock(mutex_);
    return kept_;
  }
  void trim() {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (void* block : blocks_[i]) to_system(block, class_bytes(i));
      blocks_[i].clear();
    }
    kept_ = 0;
  }

 private:
  std::mutex mutex_;
  std::array<std::vector<void*>, kClasses> blocks_;
  std::int64_t kept_ = 0;
};
/// Never destroyed: threads and static tensors may outlive it.
Shared& shared() {
  static auto* const all = new Shared;  // NOLINT(cppcoreguidelines-owning-memory)
  return *all;
}

/// The threads' lists that exist, for the statistics.
struct Threads {
  std::mutex mutex;
  std::vector<Lists*> all;
};
Threads& threads() {
  static auto* const every = new Threads;  // NOLINT(cppcoreguidelines-owning-memory)
  return *every;
}

void empty_lists(Lists& of) noexcept {
  for (std::size_t list = 1; list < kLists; ++list)
    while (Free* block = of.first[list]) {
      of.first[list] = block->next;
      ++of.room[list];
      to_system(block, class_bytes(list));
    }
}

/// Gives a thread's lists back when it ends. Blocks that are released later still (by other thread-locals) go straight
/// to the system, for `room` is 0 then.
class ThreadEnd {
 public:
  ThreadEnd() {
    for (std::size_t list = 1; list < kLists; ++list) lists.room[list] = room_of(list);
    const std::scoped_lock lock(threads().mutex);
    threads().all.push_back(&lists);
  }
  ~ThreadEnd() {
    const std::scoped_lock lock(threads().mutex);
    std::erase(threads().all, &lists);
    empty_lists(lists);
    lists.room.fill(0);
    ended = true;
  }
  ThreadEnd(const ThreadEnd&) = delete;
  ThreadEnd& operator=(const ThreadEnd&) = delete;

  static thread_local constinit bool ended;
};
thread_local constinit bool ThreadEnd::ended = false;

/// Whether the thread's lists are in use: from the first block until the thread ends.
bool lists_in_use() {
  if (ThreadEnd::ended) return false;
  static thread_local const ThreadEnd end;
  return true;
}

}  // namespace

void* allocate_slow(std::size_t bytes) {
  if (bytes > kMost) raise_no_memory(bytes);
  const std::size_t index = class_of(std::max<std::size_t>(bytes, 1));
  if (!kPooled) return from_system(class_bytes(index));
  if (index < kLists) {
    (void)lists_in_use();
    return from_system(class_bytes(index));
  }
  void* block = shared().take(index);
  return block != nullptr ? block : from_system(class_bytes(index));
}

void release_slow(void* block, std::size_t bytes) noexcept {
  const std::size_t index = class_of(std::max<std::size_t>(bytes, 1));
  if (!kPooled || index < kLists || !shared().give(block, index)) to_system(block, class_bytes(index));
}

}  // namespace pool

PoolFigures pool_figures() {
  PoolFigures figures{pool::live_bytes.load(), 0, pool::system_calls.load()};
  pool::Threads& threads = pool::threads();
  const std::scoped_lock lock(threads.mutex);
  for (const pool::Lists* lists : threads.all)
    for (std::size_t list = 1; list < pool::kLists; ++list)
      figures.kept += static_cast<std::int64_t>((pool::room_of(list) - lists->room[list]) * pool::class_bytes(list));
  figures.kept += pool::shared().kept();
  figures.live -= figures.kept;
  return figures;
}

void trim_pools() noexcept {
  pool::empty_lists(pool::lists);
  pool::shared().trim();
}

}  // namespace plumbline::optimized
