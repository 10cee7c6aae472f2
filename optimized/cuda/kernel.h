// What a kernel is: a grid of blocks of threads, whose work is cut into phases. The device and the host run the same
// one.
#pragma once

#include <cstdint>

#include "optimized/elements/host_device.h"

namespace plumbline::optimized::cuda {

/// Threads of a block.
inline constexpr std::uint32_t kThreads = 256;

/// Which thread this is.
struct Place {
  std::uint32_t block = 0;
  std::uint32_t blocks = 1;
  std::uint32_t thread = 0;  ///< of the block
};

/// `kernel.phase<P>(place, shared, own)` is what a thread does in phase P, from 0 to kPhases − 1. Before a phase
/// begins, each thread of the block has ended the phase before it. `Shared` is what the block's threads share, `Own`
/// what a thread keeps from one phase to the next; neither is initialised. Blocks run in any order, so what one writes
/// no other one reads or writes.
template <class K>
concept Kernel = requires(const K& kernel, const Place& place, typename K::Shared& shared, typename K::Own& own) {
  requires K::kPhases > 0;
  kernel.template phase<0>(place, shared, own);
};

/// Of a kernel whose threads share or keep nothing.
struct Nothing {};

/// How many blocks there are if each does so much of it.
constexpr std::uint32_t blocks_for(std::uint32_t all, std::uint32_t of_each) {
  return all / of_each + (all % of_each == 0 ? 0 : 1);
}

/// A kernel of one phase, in which thread i of all does `work.one(i)`, for each i < `work.count()`.
template <class Work>
struct EachThread {
  using Shared = Nothing;
  using Own = Nothing;
  static constexpr int kPhases = 1;

  Work work;

  std::uint32_t blocks() const { return blocks_for(work.count(), kThreads); }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared&, Own&) const {
    const std::uint32_t i = place.block * kThreads + place.thread;
    if (i < work.count()) work.one(i);
  }
};

}  // namespace plumbline::optimized::cuda
