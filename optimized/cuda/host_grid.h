// Runs a kernel on the host: block by block and, in each phase, thread by thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "optimized/cuda/kernel.h"

namespace plumbline::optimized::cuda {

/// Which block and which thread runs first. A right kernel gives the same result in each order.
enum class Order : std::uint8_t { forward, backward, inside_out };

/// The number of the i-th of `all`.
constexpr std::uint32_t in_order(Order order, std::uint32_t i, std::uint32_t all) {
  if (order == Order::backward) return all - 1 - i;
  if (order == Order::forward) return i;
  const std::uint32_t middle = all / 2;  // then one after it, one before it, …
  return i % 2 == 0 ? middle + i / 2 : middle - 1 - i / 2;
}

/// Memory that no thread has written yet, as it is at first on the device: anything.
template <class T>
void poison(T& memory) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memset(&memory, 0xCD, sizeof(T));
}

/// What a kernel shares and keeps is poisoned before each block.
template <Kernel K>
class HostGrid {
 public:
  HostGrid(const K& kernel, std::uint32_t blocks, Order order) : kernel_(kernel), blocks_(blocks), order_(order) {}

  void run() {
    for (std::uint32_t i = 0; i < blocks_; ++i)
      run_block(in_order(order_, i, blocks_), std::make_index_sequence<static_cast<std::size_t>(K::kPhases)>());
  }

 private:
  template <std::size_t... P>
  void run_block(std::uint32_t block, std::index_sequence<P...>) {
    typename K::Shared shared;
    std::array<typename K::Own, kThreads> own;
    poison(shared);
    poison(own);
    (run_phase<static_cast<int>(P)>(block, shared, own), ...);
  }
  template <int P>
  void run_phase(std::uint32_t block, typename K::Shared& shared, std::array<typename K::Own, kThreads>& own) {
    for (std::uint32_t i = 0; i < kThreads; ++i) {
      const std::uint32_t thread = in_order(order_, i, kThreads);
      kernel_.template phase<P>(Place{block, blocks_, thread}, shared, own[thread]);
    }
  }

  const K& kernel_;
  std::uint32_t blocks_;
  Order order_;
};

template <Kernel K>
void run_on_host(const K& kernel, std::uint32_t blocks, Order order = Order::forward) {
  HostGrid<K>(kernel, blocks, order).run();
}

}  // namespace plumbline::optimized::cuda
