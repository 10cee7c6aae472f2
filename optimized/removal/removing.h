// What stands between the kernels of ops and a backend of buffers: it removes what the backend cannot do.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "optimized/removal/blocks.h"

namespace plumbline::optimized {

/// The memory and the calls of one backend. Kernels see blocks at addresses, with views and in-place writes; the
/// backend sees buffers, in calls that it can do (kInserted).
class Removing {
 public:
  Removing(Backend device, std::unique_ptr<BufferDevice> backend);

  std::byte* allocate(std::size_t bytes);
  void release(const std::byte* block) noexcept;
  void copy(std::byte* to, const std::byte* from, std::size_t bytes);
  void copy_to_cpu(std::byte* to, const std::byte* from, std::size_t bytes);
  void copy_from_cpu(std::byte* to, const std::byte* from, std::size_t bytes);
  std::int64_t in_use();
  /// A call on addresses, which it takes over.
  void handle(PrimitiveCall& call);

  /// Calls `visit` with the buffers that storages hold now, while no other thread works on the device.
  void with_held(const std::function<void(std::span<Buffer* const>)>& visit);
  /// The buffer that holds what is at this address.
  Buffer* held_at(const std::byte* address);
  /// How often a part of a block was copied, since the backend cannot read it there.
  std::uint64_t copies_made() const { return copies_made_; }

 private:
  /// A call on blocks.
  struct PlacedCall {
    PrimitiveCall call;
    std::array<Block*, PrimitiveCall::kMost> blocks{};
    std::array<std::int64_t, PrimitiveCall::kMost> offsets{};  ///< in bytes
  };
  /// A block that no storage has; it lives for one call.
  class Temporary;

  /// Takes the call over.
  PlacedCall placed(PrimitiveCall& call);
  /// Does the removals from this one on, then the call.
  void go_on(PlacedCall& it, std::size_t removal);

  void remove_aliases(PlacedCall& it, std::size_t next);
  /// For a call that reads what it writes, at some place twice: does it part by part.
  void split(const PlacedCall& it, std::size_t removal);
  void read_copy(PlacedCall& it, std::size_t k, std::span<const int> order, std::size_t next);
  void write_copy(PlacedCall& it, std::span<const int> order, std::size_t next);

  void remove_mutation(PlacedCall& it);
  /// Hands the call over to the backend, which writes `written`.
  void run(PlacedCall& it, Buffer* written, Buffer* before);

  Buffer* held_by(Block& block);
  void hold(Block& block, Buffer* buffer) noexcept;
  /// All copies but the last ones.
  void forget_copies(Block& block, std::size_t left) noexcept;

  std::mutex mutex_;
  std::unique_ptr<BufferDevice> backend_;
  Abilities can_;
  std::span<const Removal> removals_;
  Blocks blocks_;
  Block nothing_;  ///< of an operand that has no elements
  std::uint64_t copies_made_ = 0;
};

}  // namespace plumbline::optimized
