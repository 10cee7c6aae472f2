// Seeding, and the CPU's default generator of random numbers, which all threads share.
#include "optimized/ops/random.h"

#include <limits>
#include <mutex>
#include <random>

#include "optimized/elements/primitives.h"

namespace plumbline::optimized {

namespace {

/// The initial seed of the generator [c10/core/GeneratorImpl.h, default_rng_seed_val]; it takes 32 bits of a seed.
constexpr std::uint64_t kDefaultSeed = 67280421310721;

struct Generator {
  std::mutex mutex;
  std::mt19937 engine{static_cast<std::uint32_t>(kDefaultSeed)};
};
/// Never destroyed: static tensors may be made at any time.
Generator& generator() {
  static auto* const all = new Generator;  // NOLINT(cppcoreguidelines-owning-memory)
  return *all;
}

template <class T, class Bits, class Draw>
void fill(std::span<T> elements, const Draw& draw) {
  constexpr Bits kBits = Bits(1) << std::numeric_limits<T>::digits;
  for (T& element : elements) element = static_cast<T>(draw() & (kBits - 1)) * (T(1) / static_cast<T>(kBits));
}

}  // namespace

void manual_seed(std::uint64_t seed) {
  for_each_primitives([seed](const Primitives& device) { device.seed(seed); });
}

void seed_cpu(std::uint64_t seed) {
  Generator& it = generator();
  const std::scoped_lock lock(it.mutex);
  it.engine.seed(static_cast<std::uint32_t>(seed));
}

void fill_uniform(std::span<float> elements) {
  Generator& it = generator();
  const std::scoped_lock lock(it.mutex);
  fill<float, std::uint32_t>(elements, [&] { return static_cast<std::uint32_t>(it.engine()); });
}

void fill_uniform(std::span<double> elements) {
  Generator& it = generator();
  const std::scoped_lock lock(it.mutex);
  fill<double, std::uint64_t>(elements, [&] {
    const std::uint64_t high = it.engine();
    return high << 32 | it.engine();
  });
}

}  // namespace plumbline::optimized
