// The memory that tensors share, and the version counter that comes with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "optimized/tensor/pool.h"
#include "optimized/tensor/ref.h"
#include "spec/vocabulary/keys.h"

namespace plumbline::optimized {

/// Bytes that tensors see. The counter counts the writes to the tensors that began with this storage; a tensor that
/// takes another storage later (`set_`, `x.data = y`) keeps counting here.
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
  /// The same in the memory of any device.
  static Ref<Storage> make_on(Backend device, std::size_t bytes);
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
  /// Destroys it, except the block that contains it, which has this many bytes and which the caller releases.
  std::size_t end() noexcept {
    if (grown_ != 0) [[unlikely]]
      let_go();
    return block_;
  }

  /// A storage that shows the memory of `lender`, and counts versions for itself from where `lender` is. It borrows the
  /// memory until `own`; meanwhile `lender` must not grow.
  static Ref<Storage> make_borrowing(Ref<Storage> lender);
  bool is_borrowed() const { return borrowed_; }
  /// Copies the borrowed memory, once, so that it has its own. Not while others read.
  void own() {
    if (borrowed_) [[unlikely]]
      move_to(bytes_);
  }
  /// Replaces the borrowed memory by the memory of `value`, which has the same length and which no one else holds or
  /// will hold. Not while others read.
  void take(Ref<Storage> value);

  /// Which of several nested functionalized bodies may write it, or which differentiated one made it; 0: none.
  std::uint8_t level() const { return level_; }
  void set_level(std::uint8_t level) { level_ = level; }

  /// Memory of its device: only if that is the CPU may the CPU read it.
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  Backend device() const { return device_; }
  /// A storage on the same device with the same bytes.
  Ref<Storage> copied() const;
  /// Takes over the bytes of `other`, which is on the same device and not longer.
  void copy_from(const Storage& other);
  /// Whether both have the same bytes; of one device.
  bool has_bytes_of(const Storage& other) const;
  /// Makes it hold at least `bytes`; what it holds stays, at another address perhaps. Not while others read.
  void grow(std::size_t bytes);

  std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version(std::uint64_t by = 1) { version_.fetch_add(by, std::memory_order_relaxed); }

 private:
  [[noreturn]] static void raise_too_large(std::size_t bytes);
  Storage(std::byte* data, std::size_t bytes, std::size_t block) : data_(data), bytes_(bytes), block_(block) {}

  /// Gives up the memory that is neither in its block nor to be kept.
  void let_go() noexcept;
  /// Moves to a block of this many bytes, at least as many as it holds.
  void move_to(std::size_t bytes);

  std::byte* data_;
  std::size_t bytes_;
  std::size_t block_;          ///< of the block in which this stands
  std::size_t grown_ = 0;      ///< of the block of `data_`, if it has one of its own; 1 if it is another storage's
  Storage* lender_ = nullptr;  ///< held; the storage whose memory `data_` is, where it is another's
  bool borrowed_ = false;      ///< others see that one, too
  Backend device_ = Backend::CPU;
  std::uint8_t level_ = 0;
  std::atomic<std::uint64_t> version_{0};
};

static_assert(sizeof(Storage) == kBlockAlignment, "small data is in the next cache line");

/// The bytes of a storage where the CPU can read them: its own, or a copy of those of another device.
class ReadBytes {
 public:
  explicit ReadBytes(const Storage& storage);
  ~ReadBytes();
  ReadBytes(const ReadBytes&) = delete;
  ReadBytes& operator=(const ReadBytes&) = delete;

  const std::byte* data() const { return data_; }

 private:
  const std::byte* data_;
  std::size_t copied_ = 0;  ///< bytes that are allocated for the copy; 0: there is none
};

}  // namespace plumbline::optimized
