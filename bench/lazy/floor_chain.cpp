// The loop of the floor of a chain.
#include "bench/lazy/floor_chain.h"

#include <algorithm>

namespace plumbline::bench {

namespace {

// The loader picks a clone before ThreadSanitizer's runtime is there, and GCC instruments the code that picks.
#ifdef __SANITIZE_THREAD__
#define PLUMBLINE_WIDEST
#else
#define PLUMBLINE_WIDEST [[gnu::target_clones("avx512f", "avx2", "default")]]
#endif

PLUMBLINE_WIDEST void chain(float* to, const float* x, const float* a, const float* b, std::int64_t count,
                            std::int64_t ops) {
  constexpr int kLanes = 64;
  for (std::int64_t i = 0; i + kLanes <= count; i += kLanes) {
    float y[kLanes];
    for (int k = 0; k < kLanes; ++k) y[k] = x[i + k];
    std::int64_t left = ops;
    for (; left >= 3; left -= 3)
      for (int k = 0; k < kLanes; ++k) y[k] = std::max(y[k] * a[i + k] + b[i + k], 0.0F);
    for (int k = 0; k < kLanes && left >= 1; ++k) y[k] *= a[i + k];
    for (int k = 0; k < kLanes && left >= 2; ++k) y[k] += b[i + k];
    for (int k = 0; k < kLanes; ++k) to[i + k] = y[k];
  }
}

}  // namespace

void floor_chain(float* to, const float* x, const float* a, const float* b, std::int64_t count, std::int64_t ops) {
  chain(to, x, a, b, count, ops);
}

}  // namespace plumbline::bench
