// Memory of a device in blocks, which are used again in the order in which they are given back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "optimized/cuda/mark.h"

namespace plumbline::optimized::cuda {

/// Where a pool gets its memory, in large pieces.
struct MemorySource {
  /// Aligned to 512 bytes; null if there is no more.
  std::byte* (*take)(std::size_t bytes);
  void (*give_back)(std::byte* piece, std::size_t bytes) noexcept;
  /// Returns when nothing that was started uses memory any more.
  void (*wait)() noexcept;
  /// Marks the end of what has been started in a stream; null if blocks are used in their own streams alone.
  std::shared_ptr<const Mark> (*mark)(std::uint32_t stream) = nullptr;
};

/// In bytes, except the last.
struct PoolCounts {
  std::size_t in_use = 0;
  std::size_t most_in_use = 0;
  std::size_t taken = 0;  ///< from the source: in use, or kept for the next block
  std::size_t most_taken = 0;
  std::uint64_t blocks = 0;  ///< that were allocated, in all
};

/// A block belongs to a stream, whose work is done in the order of the calls. So a block that is given back may be used
/// again at once on the same stream, though kernels that were started before still use it, and never on another.
/// Another stream that uses it, too, must say so (`use_in`). For any number of threads.
class BlockPool {
 public:
  /// It takes at most `most` bytes.
  BlockPool(const MemorySource& source, std::size_t most) : source_(source), most_(most) {}

  /// Aligned to 512 bytes; `bytes` is at least 1. If there is no memory, it waits, gives back all pieces that no block
  /// uses, and tries again; then raises ErrorClass::memory, and no block is lost.
  std::byte* allocate(std::size_t bytes, std::uint32_t stream);
  /// What `allocate` returned. It goes back to its stream, whichever stream the thread works in.
  void release(std::byte* block) noexcept;
  /// The block is used in this stream, too: when it is released, it stays in use until all is done that was started
  /// there before.
  void use_in(std::byte* block, std::uint32_t stream);
  /// What may write a block as soon as it is released: the work of its stream.
  struct NextUse {
    std::uint32_t stream = 0;
    std::size_t bytes = 0;  ///< of the block
  };
  /// None if another stream uses the block, too, or if its stream is pinned.
  std::optional<NextUse> next_use(std::byte* block) const;
  /// Gives the pieces that no block uses back to the source.
  void give_back_unused() noexcept;

  /// Makes the memory of one stream another's, either all or what is free: when no work of the first will be done after
  /// work of the second that is not started yet.
  void hand_over(std::uint32_t from, std::uint32_t to, bool all) noexcept;

  /// Returns when no work uses memory any more.
  void wait() noexcept { source_.wait(); }

  /// While a stream is pinned, its free memory stays its own also where memory is missing.
  void pin(std::uint32_t stream, bool pinned);

  PoolCounts counts() const;
  std::uint32_t stream_of(std::byte* block) const;
  /// Bytes of the block, of which at least as many as were asked for.
  std::size_t size_of(std::byte* block) const;

 private:
  /// A part of a piece: a block, or memory that is free.
  struct Part {
    std::size_t bytes = 0;
    std::uint32_t stream = 0;
    bool free = false;
    bool first = false;  ///< of its piece
  };
  using Parts = std::map<std::byte*, Part>;

  /// A block that was released, and the work that still uses it.
  struct Late {
    std::byte* block = nullptr;
    std::vector<std::shared_ptr<const Mark>> marks;
  };

  std::byte* allocate_here(std::size_t block, std::uint32_t stream);
  /// Takes a piece in which a block of this many bytes fits; whether there was one.
  bool take_piece(std::size_t block, std::uint32_t stream);
  void set_free(Parts::iterator part);
  void set_used(Parts::iterator part);
  /// Joins the free part with the one after it, if that is free and of the same piece and stream; whether it did.
  bool join(Parts::iterator part);
  void give_back() noexcept;
  void release_now(std::byte* block) noexcept;
  /// Whether the block becomes a late one.
  bool release_later(std::byte* block) noexcept;
  /// Releases the late blocks that no work uses any more.
  void release_late() noexcept;

  MemorySource source_;
  std::size_t most_;
  mutable std::mutex mutex_;
  Parts parts_;
  std::set<std::tuple<std::uint32_t, std::size_t, std::byte*>> free_;  ///< by stream, then by size
  std::set<std::uint32_t> pinned_;
  std::map<std::byte*, std::set<std::uint32_t>> users_;  ///< the other streams that use a block
  std::vector<Late> late_;
  PoolCounts counts_;
};

}  // namespace plumbline::optimized::cuda
