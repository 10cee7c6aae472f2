// Seeding, and the CPU's default generator of random numbers, which all threads share.
#pragma once

#include <cstdint>
#include <span>

namespace plumbline::optimized {

/// `torch.manual_seed(seed)`: of all devices. [torch/random.py, manual_seed]
void manual_seed(std::uint64_t seed);
/// The CPU's generator alone.
void seed_cpu(std::uint64_t seed);

/// The generator's next numbers of [0, 1): a float is 24 bits of one draw, a double 53 of two, the high word first
/// [aten/src/ATen/core/TransformationHelper.h, uniform_real; CPUGeneratorImpl.cpp, random64].
void fill_uniform(std::span<float> elements);
void fill_uniform(std::span<double> elements);

}  // namespace plumbline::optimized
