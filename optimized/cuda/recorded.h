// Starts kernels, or records them while the thread records.
#pragma once

#include <functional>

#include "optimized/cuda/product.h"
#include "optimized/cuda/recording.h"

namespace plumbline::optimized::cuda {

/// `Eager::run(kernel, blocks)` starts a kernel, `Eager::gemm(Gemm)` a product, `Eager::multiprocessors()` is how many
/// the device has, and `Eager::together(start_all)` starts all that `start_all` starts as one graph, and returns what
/// does so again.
template <class Eager>
struct Recorded {
  template <Kernel K>
  static void run(const K& kernel, std::uint32_t blocks) {
    Recording* const recording = Recording::here();
    if (recording == nullptr) [[likely]]
      return Eager::run(kernel, blocks);
    recording->add(kernel, [kernel, blocks] { Eager::run(kernel, blocks); });
  }
  static void gemm(const Gemm& it) {
    Recording* const recording = Recording::here();
    recording == nullptr ? Eager::gemm(it) : recording->add([it] { Eager::gemm(it); });
  }

  static std::uint32_t multiprocessors() { return Eager::multiprocessors(); }

  static constexpr Starter kStarter{
      [](const Chain<float>& chain) { Eager::run(chain, chain.blocks()); },
      [](const Chain<double>& chain) { Eager::run(chain, chain.blocks()); },
      [](const Start& start_all) { return Eager::together(start_all); },
  };
};

}  // namespace plumbline::optimized::cuda
