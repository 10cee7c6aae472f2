// The loops of the floors: what the machine takes for the elements alone.
#pragma once

#include <cstdint>

namespace plumbline::bench {

void floor_add(float* to, const float* a, const float* b, std::int64_t count);
void floor_relu(float* to, const float* a, std::int64_t count);
float floor_sum(const float* a, std::int64_t count);
/// So many fused multiply-adds on registers, with the widest vectors that the machine has.
void floor_fma(std::int64_t count);

/// to = bias + a · weights for one row of 8, and for one of 16.
void floor_affine_8_16(float* to, const float* bias, const float* a, const float* weights);
void floor_affine_16_4(float* to, const float* bias, const float* a, const float* weights);

}  // namespace plumbline::bench
