// The product of two vectors in memory.
#pragma once

#include <cstdint>

namespace plumbline::optimized {

/// The sum of a[i * a_step] * b[i * b_step] for i < n, of any dtype's elements; integers wrap.
template <class T>
T dot_product(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, std::int64_t n);

}  // namespace plumbline::optimized
