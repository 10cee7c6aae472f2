// Random numbers of CUDA: Philox's, in the order in which PyTorch's kernels take them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "optimized/cuda/kernel.h"

namespace plumbline::optimized::cuda {

using Words4 = std::array<std::uint32_t, 4>;

/// The 128 random bits of a counter and a key: Philox4x32 with ten rounds [Salmon et al., 'Parallel Random Numbers: As
/// Easy as 1, 2, 3', SC 2011].
PLUMBLINE_HOST_DEVICE constexpr Words4 philox(Words4 counter, std::uint64_t key) {
  std::uint32_t low = static_cast<std::uint32_t>(key);
  std::uint32_t high = static_cast<std::uint32_t>(key >> 32U);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t odd = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(odd >> 32U) ^ counter[1] ^ low, static_cast<std::uint32_t>(odd),
               static_cast<std::uint32_t>(even >> 32U) ^ counter[3] ^ high, static_cast<std::uint32_t>(even)};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return counter;
}

/// Numbers of [0, 1) from such bits: 4 floats or 2 doubles. cuRAND makes numbers of (0, 1], and 1 becomes 0
/// [cuRAND's guide, 'Distributions': curand_uniform4 and curand_uniform2_double;
/// aten/src/ATen/native/cuda/DistributionTemplates.h, uniform_kernel].
template <class T>
struct UniformOf;
template <>
struct UniformOf<float> {
  static constexpr std::uint32_t kCount = 4;
  PLUMBLINE_HOST_DEVICE static float at(const Words4& words, std::uint32_t i) {
    constexpr float kStep = 2.3283064e-10F;  // 2^−32
    const float number = static_cast<float>(words[i]) * kStep + kStep / 2;
    return number == 1 ? 0 : number;
  }
};
template <>
struct UniformOf<double> {
  static constexpr std::uint32_t kCount = 2;
  PLUMBLINE_HOST_DEVICE static double at(const Words4& words, std::uint32_t i) {
    constexpr double kStep = 1.1102230246251565e-16;  // 2^−53
    const std::size_t low = std::size_t{2} * i;
    const std::uint64_t bits = words[low] ^ (std::uint64_t{words[low + 1]} << 21U);
    const double number = static_cast<double>(bits) * kStep + kStep / 2;
    return number == 1 ? 0 : number;
  }
};

/// Where a generator is.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;  ///< a multiple of 4
};

/// Thread i of all takes the numbers of subsequence i: of each four or two of them, each goes as many places after the
/// last as there are threads [DistributionTemplates.h, distribution_elementwise_grid_stride_kernel].
template <class T>
struct Uniform {
  using Shared = Nothing;
  using Own = Nothing;
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kCount = UniformOf<T>::kCount;

  std::int64_t count = 0;
  T* to = nullptr;
  RandomState state;

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared&, Own&) const {
    const std::int64_t threads = std::int64_t{place.blocks} * kThreads;
    const std::int64_t thread = std::int64_t{place.block} * kThreads + place.thread;
    std::uint64_t counter = state.offset / 4;
    for (std::int64_t first = thread; first < count; first += threads * kCount, ++counter) {
      const Words4 words = philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32U),
                                   static_cast<std::uint32_t>(thread), 0},
                                  state.seed);
      for (std::uint32_t i = 0; i < kCount; ++i)
        if (const std::int64_t at = first + i * threads; at < count) to[at] = UniformOf<T>::at(words, i);
    }
  }
};

/// How many blocks a GPU with so many multiprocessors fills with Uniform, and how far the generator goes on
/// [DistributionTemplates.h, calc_execution_policy]. A multiprocessor has room for 2048 threads.
struct UniformGrid {
  std::uint32_t blocks = 1;
  std::uint64_t offsets = 4;

  UniformGrid(std::int64_t count, std::uint32_t of_each_thread, std::uint32_t multiprocessors) {
    const std::int64_t most = std::int64_t{multiprocessors} * (2048 / kThreads);
    const std::int64_t wanted = (count - 1) / kThreads + 1;
    blocks = static_cast<std::uint32_t>(wanted < most ? wanted : most);
    offsets = static_cast<std::uint64_t>((count - 1) / (std::int64_t{kThreads} * blocks * of_each_thread) + 1) * 4;
  }
};

/// The generator of the device, which all threads share. At first it is as after torch.manual_seed of PyTorch's default
/// [c10/core/GeneratorImpl.h, default_rng_seed_val].
class RandomGenerator {
 public:
  void seed(std::uint64_t seed) {
    const std::scoped_lock lock(mutex_);
    state_ = {seed, 0};
  }
  /// Where it is; it goes on by `offsets`.
  RandomState take(std::uint64_t offsets) {
    const std::scoped_lock lock(mutex_);
    const RandomState here = state_;
    state_.offset += offsets;
    return here;
  }

 private:
  std::mutex mutex_;
  RandomState state_{67280421310721, 0};
};
inline RandomGenerator random_generator;

}  // namespace plumbline::optimized::cuda
