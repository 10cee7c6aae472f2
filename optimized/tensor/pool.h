// Memory for tensors, storages and metadata: blocks of size classes, kept for reuse by each thread, within bounds.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace plumbline::optimized {

inline constexpr std::size_t kBlockAlignment = 64;

#if defined(__SANITIZE_ADDRESS__)
/// It must see each block given back.
inline constexpr bool kPooled = false;
#else
inline constexpr bool kPooled = true;
#endif

namespace pool {

/// Multiples of 64 bytes up to `kFine` have a list each; above there are four classes an octave, so at most a fifth of
/// a block is waste. Up to `kListed` each thread keeps lists.
inline constexpr std::size_t kFine = 1024;
inline constexpr std::size_t kListed = std::size_t{64} * 1024;
inline constexpr std::size_t kFineClasses = kFine / kBlockAlignment + 1;
inline constexpr int kFineOctave = std::bit_width(kFine) - 1;
inline constexpr int kStepBits = 2;

/// The class of a block of this many bytes, counted from 1.
constexpr std::size_t class_of(std::size_t bytes) {
  if (bytes <= kFine) return (bytes + kBlockAlignment - 1) / kBlockAlignment;
  const int octave = std::bit_width(bytes - 1) - 1;  // 2^octave < bytes ≤ 2^(octave + 1)
  const std::size_t step = (bytes - 1) >> (octave - kStepBits);
  return kFineClasses + (static_cast<std::size_t>(octave - kFineOctave) << kStepBits) + step - (1U << kStepBits);
}
/// The size of a block of a class.
constexpr std::size_t class_bytes(std::size_t index) {
  if (index < kFineClasses) return index * kBlockAlignment;
  const std::size_t behind = index - kFineClasses;
  const std::size_t step = (behind & ((1U << kStepBits) - 1)) + (1U << kStepBits) + 1;
  return step << (static_cast<std::size_t>(kFineOctave) + (behind >> kStepBits) - kStepBits);
}
inline constexpr std::size_t kLists = class_of(kListed) + 1;

struct Free {
  Free* next;
};
/// The calling thread's lists, by size class; `room`: how many blocks a list may still take.
struct Lists {
  std::array<Free*, kLists> first{};
  std::array<std::uint32_t, kLists> room{};
};
inline thread_local constinit Lists lists;

void* allocate_slow(std::size_t bytes);
void release_slow(void* block, std::size_t bytes) noexcept;

}  // namespace pool

/// A block of `bytes`, aligned to 64; raises ErrorClass::memory if there is none.
inline void* allocate(std::size_t bytes) {
  if (kPooled && bytes <= pool::kListed) {
    const std::size_t list = pool::class_of(bytes);
    if (pool::Free* block = pool::lists.first[list]; block != nullptr) [[likely]] {
      pool::lists.first[list] = block->next;
      ++pool::lists.room[list];
      return block;
    }
  }
  return pool::allocate_slow(bytes);
}

/// Gives back a block that was allocated with `bytes`, on any thread.
inline void release(void* block, std::size_t bytes) noexcept {
  if (kPooled && bytes <= pool::kListed) {
    const std::size_t list = pool::class_of(bytes);
    if (pool::lists.room[list] != 0) [[likely]] {
      auto* freed = static_cast<pool::Free*>(block);
      freed->next = pool::lists.first[list];
      pool::lists.first[list] = freed;
      --pool::lists.room[list];
      return;
    }
  }
  pool::release_slow(block, bytes);
}

/// Two blocks of `kBytes` at once, as `allocate` gives them; false if the thread has not kept two; then it takes none.
template <std::size_t kBytes>
bool allocate_two(void*& first, void*& second) {
  constexpr std::size_t kList = pool::class_of(kBytes);
  static_assert(kBytes <= pool::kListed);
  pool::Free* const one = pool::lists.first[kList];
  if (!kPooled || one == nullptr) [[unlikely]]
    return false;
  pool::Free* const other = one->next;
  if (other == nullptr) [[unlikely]]
    return false;
  pool::lists.first[kList] = other->next;
  pool::lists.room[kList] += 2;
  first = one;
  second = other;
  return true;
}
/// Gives two blocks back that were allocated with `kBytes` each.
template <std::size_t kBytes>
void release_two(void* first, void* second) noexcept {
  constexpr std::size_t kList = pool::class_of(kBytes);
  if (!kPooled || pool::lists.room[kList] < 2) [[unlikely]] {
    release(first, kBytes);
    return release(second, kBytes);
  }
  auto* const one = static_cast<pool::Free*>(first);
  auto* const other = static_cast<pool::Free*>(second);
  other->next = pool::lists.first[kList];
  one->next = other;
  pool::lists.first[kList] = one;
  pool::lists.room[kList] -= 2;
}

struct PoolFigures {
  std::int64_t live = 0;    ///< bytes in blocks that are in use
  std::int64_t kept = 0;    ///< bytes in blocks that wait for reuse: at most 7 MiB a thread, and 512 MiB that all share
  std::int64_t system = 0;  ///< how many blocks were requested from the system
};
/// Of all threads that run; exact while no other thread allocates.
PoolFigures pool_figures();
/// Returns everything that the calling thread and the shared pool keep to the system.
void trim_pools() noexcept;

}  // namespace plumbline::optimized
