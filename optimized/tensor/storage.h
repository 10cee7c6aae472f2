// The memory that tensors share, and the version counter that comes with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "optimized/tensor/pool.h"
#include "optimized/tensor/ref.h"

namespace plumbline::optimized {

/// Bytes that tensors see. The counter counts the writes to the tensors that began with this storage; a tensor that
/// takes another storage later (`set_`, `x.data = y`) goes on counting here.
class alignas(kBlockAlignment) Storage : public Counted {
 public:
  /// Not initialised; `bytes` may be 0.
  static Ref<Storage> make(std::size_t bytes) {
    std::size_t block = 0;
    if (__builtin_add_overflow(bytes, sizeof(Storage), &block)) [[unlikely]]
      raise_too_large(bytes);
    auto* at = static_cast<std::byte*>(allocate(block));
    return Ref<Storage>::adopt(new (at) Storage(at + sizeof(Storage), bytes, block));
  }
  static void destroy(Storage* storage) noexcept {
    const std::size_t block = storage->end();
    release(storage, block);
  }

  /// The block of a storage of at most kSmall bytes is as large as a tensor's.
  static constexpr std::size_t kSmall = kBlockAlignment;
  static constexpr std::size_t kSmallBlock = kBlockAlignment + kSmall;
  static constexpr bool is_small(std::size_t block) { return pool::class_of(block) == pool::class_of(kSmallBlock); }
  /// As `make`, in a block of kSmallBlock bytes that is the storage's from then on.
  static Ref<Storage> make_in(void* block, std::size_t bytes) {
    auto* at = static_cast<std::byte*>(block);
    return Ref<Storage>::adopt(new (at) Storage(at + sizeof(Storage), bytes, kSmallBlock));
  }
  /// Ends it but for the block in which it stands, of so many bytes, which the caller releases.
  std::size_t end() noexcept {
    if (grown_ != 0) [[unlikely]]
      release(data_, grown_);
    return block_;
  }

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Makes it hold at least `bytes`; what it holds stays, at another address perhaps. Not while others read.
  void grow(std::size_t bytes);

  std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.fetch_add(1, std::memory_order_relaxed); }

 private:
  [[noreturn]] static void raise_too_large(std::size_t bytes);
  Storage(std::byte* data, std::size_t bytes, std::size_t block) : data_(data), bytes_(bytes), block_(block) {}

  std::byte* data_;
  std::size_t bytes_;
  std::size_t block_;      ///< of the block in which this stands
  std::size_t grown_ = 0;  ///< of the block behind `data_`, once it is one of its own
  std::atomic<std::uint64_t> version_{0};
};

static_assert(sizeof(Storage) == kBlockAlignment, "small data stands in the next cache line");

}  // namespace plumbline::optimized
