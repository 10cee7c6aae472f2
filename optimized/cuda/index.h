// Kernels that follow indices, which were checked before, and that add up what goes to the same places.
#pragma once

#include <cstdint>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/places.h"
#include "optimized/cuda/reduce.h"

namespace plumbline::optimized::cuda {

/// Adds to a number that other threads add to, too. The order is not specified. On the host threads run one by one.
template <class T>
PLUMBLINE_HOST_DEVICE void add_to(T* sum, T more) {
#if defined(__CUDA_ARCH__)
  atomicAdd(sum, more);
#else
  *sum += more;
#endif
}

/// A thread for each index. `places`: of the index, of the other operand, and of the indexed tensor but for the
/// dimension, in which elements stand `step` apart.
template <class T, class I>
struct Indexed {
  Places<3> places;
  const I* index = nullptr;
  std::int64_t step = 0;

  /// Where the element of the indexed tensor is.
  PLUMBLINE_HOST_DEVICE std::int64_t named(const Steps<3>& at) const { return at[2] + index[at[0]] * step; }
};

/// `out[…, k, …] = self[…, index[…, k, …], …]`.
template <class T, class I>
struct Gather {
  Indexed<T, I> of;
  T* out = nullptr;
  const T* self = nullptr;

  PLUMBLINE_HOST_DEVICE std::uint32_t count() const { return of.places.count; }
  PLUMBLINE_HOST_DEVICE void one(std::uint32_t i) const {
    const Steps<3> at = of.places.at(i);
    out[at[1]] = element(self, of.named(at));
  }
};

/// `to[…, index[…, k, …], …] += from[…, k, …]`.
template <class T, class I>
struct ScatterAdd {
  Indexed<T, I> of;
  const T* from = nullptr;
  T* to = nullptr;

  PLUMBLINE_HOST_DEVICE std::uint32_t count() const { return of.places.count; }
  PLUMBLINE_HOST_DEVICE void one(std::uint32_t i) const {
    const Steps<3> at = of.places.at(i);
    add_to(to + of.named(at), from[at[1]]);
  }
};

/// `to += from`, where several elements of `to` may be at one place.
template <class T>
struct AddUp {
  Places<2> places;
  T* to = nullptr;
  const T* from = nullptr;

  PLUMBLINE_HOST_DEVICE std::uint32_t count() const { return places.count; }
  PLUMBLINE_HOST_DEVICE void one(std::uint32_t i) const {
    const Steps<2> at = places.at(i);
    add_to(to + at[0], from[at[1]]);
  }
};

}  // namespace plumbline::optimized::cuda
