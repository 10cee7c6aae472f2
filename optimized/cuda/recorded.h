// Starts kernels, or records them while the thread records.
#pragma once

#include <functional>

#include "optimized/cuda/product.h"
#include "optimized/cuda/recording.h"

namespace plumbline::optimized::cuda {

/// `Eager::run(kernel, blocks)` starts a kernel, `Eager::gemm(Gemm)` a product, `Eager::multiprocessors()` is how many
/// the device has, and `Eager::together(start_all)` calls `start_all` so that all that it starts is one graph.
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
      [](const std::function<void()>& start_all) { Eager::together(start_all); },
  };
};

}  // namespace plumbline::optimized::cuda
