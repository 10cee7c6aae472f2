// The geometry of a tensor: the index map from its elements to its storage.
#pragma once

#include <optional>
#include <vector>

#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

template <Domain D>
using Dims = std::vector<Num<D>>;

/// Element (i0, i1, …) is at place offset + Σ i·stride of the storage, counted in elements.
template <Domain D>
struct Geometry {
  Dims<D> sizes;
  Dims<D> strides;
  Num<D> offset;

  constexpr int rank() const { return static_cast<int>(sizes.size()); }
};

/// A view's geometry, or the error.
template <Domain D>
struct Viewed {
  Geometry<D> geometry;
  Error<D> error = ErrorClass::none;
};

template <Domain D>
constexpr Num<D> product(const Dims<D>& sizes) {
  Num<D> n = 1;
  for (const Num<D>& size : sizes) n = n * size;
  return n;
}

/// Row-major strides; a size of 0 counts as 1, as in c10.
template <Domain D>
constexpr Dims<D> contiguous_strides(const Dims<D>& sizes) {
  Dims<D> strides(sizes.size());
  Num<D> step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    step = step * select(sizes[i] < Num<D>(1), Num<D>(1), sizes[i]);
  }
  return strides;
}

}  // namespace plumbline
