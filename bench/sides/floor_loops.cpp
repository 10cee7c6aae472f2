// The loops of the floors, for the widest vectors that the machine has.
#include "bench/sides/floor_loops.h"

#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <cstring>

namespace plumbline::bench {

namespace {

/// What no cache holds is stored past it.
constexpr std::int64_t kStream = 4'000'000;

void add_streaming(float* to, const float* a, const float* b, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) _mm_stream_ps(to + i, _mm_add_ps(_mm_loadu_ps(a + i), _mm_loadu_ps(b + i)));
  for (; i < count; ++i) to[i] = a[i] + b[i];
  _mm_sfence();
}

// The loader picks a clone before ThreadSanitizer's runtime is there, and GCC instruments the code that picks.
#ifdef __SANITIZE_THREAD__
#define PLUMBLINE_WIDEST
#else
#define PLUMBLINE_WIDEST [[gnu::target_clones("avx512f", "avx2", "default")]]
#endif

PLUMBLINE_WIDEST void add_cached(float* to, const float* a, const float* b, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = a[i] + b[i];
}

PLUMBLINE_WIDEST void relu(float* to, const float* a, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = a[i] > 0 ? a[i] : 0;
}

PLUMBLINE_WIDEST float sum(const float* a, std::int64_t count) {
  constexpr int kLanes = 64;
  float lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane];
  float total = 0;
  for (; i < count; ++i) total += a[i];
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  return total + lanes[0];
}

/// A whole row at once, in registers.
template <int kInputs, int kOutputs>
[[gnu::always_inline]] inline void affine(float* to, const float* bias, const float* a, const float* weights) {
  using Row [[gnu::vector_size(kOutputs * sizeof(float))]] = float;
  Row row;
  std::memcpy(&row, bias, sizeof row);
  for (int i = 0; i < kInputs; ++i) {
    Row factors;
    std::memcpy(&factors, weights + static_cast<std::ptrdiff_t>(i) * kOutputs, sizeof factors);
    row += a[i] * factors;
  }
  std::memcpy(to, &row, sizeof row);
}

PLUMBLINE_WIDEST void affine_8_16(float* to, const float* bias, const float* a, const float* weights) {
  affine<8, 16>(to, bias, a, weights);
}
PLUMBLINE_WIDEST void affine_16_4(float* to, const float* bias, const float* a, const float* weights) {
  affine<16, 4>(to, bias, a, weights);
}

/// Enough independent sums to fill the pipelines.
constexpr int kSums = 12;

[[gnu::target("avx512f")]] void fma_512(std::int64_t count) {
  __m512 sums[kSums];
#pragma GCC unroll 12
  for (int k = 0; k < kSums; ++k) sums[k] = _mm512_setzero_ps();
  __m512 factor = _mm512_set1_ps(0.5F);
  benchmark::DoNotOptimize(factor);
  for (std::int64_t i = 0; i < count; i += 16L * kSums) {
#pragma GCC unroll 12
    for (int k = 0; k < kSums; ++k) sums[k] = _mm512_fmadd_ps(sums[k], factor, factor);
  }
#pragma GCC unroll 12
  for (int k = 1; k < kSums; ++k) sums[0] = _mm512_add_ps(sums[0], sums[k]);
  benchmark::DoNotOptimize(sums[0]);
}

[[gnu::target("avx2,fma")]] void fma_256(std::int64_t count) {
  __m256 sums[kSums];
#pragma GCC unroll 12
  for (int k = 0; k < kSums; ++k) sums[k] = _mm256_setzero_ps();
  __m256 factor = _mm256_set1_ps(0.5F);
  benchmark::DoNotOptimize(factor);
  for (std::int64_t i = 0; i < count; i += 8L * kSums) {
#pragma GCC unroll 12
    for (int k = 0; k < kSums; ++k) sums[k] = _mm256_fmadd_ps(sums[k], factor, factor);
  }
#pragma GCC unroll 12
  for (int k = 1; k < kSums; ++k) sums[0] = _mm256_add_ps(sums[0], sums[k]);
  benchmark::DoNotOptimize(sums[0]);
}

}  // namespace

void floor_add(float* to, const float* a, const float* b, std::int64_t count) {
  if (count >= kStream && reinterpret_cast<std::uintptr_t>(to) % sizeof(__m128) == 0)
    return add_streaming(to, a, b, count);
  if (count == 1) {
    *to = *a + *b;
  } else {
    add_cached(to, a, b, count);
  }
}

void floor_relu(float* to, const float* a, std::int64_t count) { relu(to, a, count); }
float floor_sum(const float* a, std::int64_t count) { return count == 1 ? *a : sum(a, count); }

void floor_affine_8_16(float* to, const float* bias, const float* a, const float* weights) {
  affine_8_16(to, bias, a, weights);
}
void floor_affine_16_4(float* to, const float* bias, const float* a, const float* weights) {
  affine_16_4(to, bias, a, weights);
}

void floor_fma(std::int64_t count) {
  if (__builtin_cpu_supports("avx512f")) return fma_512(count);
  if (__builtin_cpu_supports("fma")) return fma_256(count);
}

}  // namespace plumbline::bench
