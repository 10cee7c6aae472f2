// The blocks of memory that storages have on a backend of buffers, and their addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "optimized/removal/buffer_device.h"
#include "spec/vocabulary/keys.h"

namespace plumbline::optimized {

/// What a storage takes for its memory. What it holds is a buffer of the backend: the same one always, or another after
/// each write, where mutation is removed.
struct Block {
  struct Copy;

  std::size_t bytes = 0;
  Buffer* held = nullptr;                     ///< null: nothing was written or read yet
  std::vector<std::unique_ptr<Copy>> copies;  ///< parts of what it holds now, which the backend cannot read there
};

/// Elements of a block in a row of their own.
struct Block::Copy {
  std::int64_t item = 1;            ///< bytes of an element
  std::int64_t offset = 0;          ///< in bytes
  std::vector<Reach::Part> places;  ///< their places in the block
  Block row;
};

/// Addresses of blocks. No process has memory there, so the CPU cannot reach any of it by mistake. A block is found in
/// constant time from any address inside, and from the one after its end.
class Blocks {
 public:
  explicit Blocks(Backend device) : first_(kFirst + (static_cast<std::uint64_t>(device) << kDeviceBits)) {}

  /// Raises ErrorClass::memory if it is larger than any machine's memory.
  std::byte* add(std::size_t bytes);
  /// Takes back the address; returns what the block was.
  Block remove(const std::byte* address);

  struct Place {
    Block* block = nullptr;
    std::int64_t offset = 0;
  };
  /// Raises ErrorClass::unclassified if no block is there.
  Place find(const std::byte* address);

  /// Bytes of all blocks.
  std::int64_t bytes() const { return bytes_; }
  template <class Visit>
  void for_each(const Visit& visit) {
    for (Class& one : classes_)
      for (Block& block : one.blocks)
        if (block.bytes != 0) visit(block);
  }

 private:
  /// Blocks of fewer than `2^c` bytes, each of which has `2^c` addresses.
  struct Class {
    std::deque<Block> blocks;  ///< `bytes` is 0 where an address is free
    std::vector<std::uint32_t> free;
  };
  static constexpr unsigned kLeast = 6;
  static constexpr unsigned kMost = 42;
  static constexpr unsigned kClassBits = 44;
  static constexpr unsigned kDeviceBits = 50;
  static constexpr std::uint64_t kFirst = std::uint64_t{1} << 54U;

  struct Slot {
    unsigned of = 0;
    std::uint64_t number = 0;
    std::int64_t offset = 0;
  };
  Slot slot_of(const std::byte* address) const;

  std::uint64_t first_;
  std::int64_t bytes_ = 0;
  std::array<Class, kMost + 1> classes_;
};

}  // namespace plumbline::optimized
