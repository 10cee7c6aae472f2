// Gradients of the elements that an index selected.
#include "optimized/autograd/scatter.h"

#include <algorithm>
#include <concepts>

#include "optimized/cpu/checks.h"
#include "optimized/elements/dtypes.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

std::int64_t element(const Tensor& index, std::int64_t at) {
  return index.dtype() == Dtype::int32 ? index.data<std::int32_t>()[at] : index.data<std::int64_t>()[at];
}

/// Where an element of `index` and of `gradient` lies, and the place in `to` except for the named dimension.
struct ScatterPlaces {
  std::int64_t index = 0;
  std::int64_t gradient = 0;
  std::int64_t to = 0;
};

template <class T>
void add_all(const Tensor& to, int dim, const Tensor& index, const Tensor& gradient) {
  DimVector at(static_cast<std::size_t>(index.dim()));
  ScatterPlaces place;
  const auto move = [&](int d, std::int64_t steps) {
    place.index += steps * index.stride(d);
    place.gradient += steps * gradient.stride(d);
    if (d != dim) place.to += steps * to.stride(d);
  };
  for (std::int64_t left = index.numel(); left > 0; --left) {
    const std::int64_t named = element(index, place.index);
    if (named < 0 || named >= to.size(dim))
      raise_saying(ErrorClass::index_range, "index out of range in self", "IndexError");
    to.data<T>()[place.to + named * to.stride(dim)] += gradient.data<T>()[place.gradient];
    for (int d = index.dim() - 1; d >= 0; --d) {
      const auto i = static_cast<std::size_t>(d);
      move(d, 1);
      if (++at[i] < index.size(d)) break;
      move(d, -index.size(d));
      at[i] = 0;
    }
  }
}

}  // namespace

Tensor scatter_add(IntList sizes, std::int64_t dim, const Tensor& index, const Tensor& gradient) {
  Tensor to = zeros(sizes, gradient.dtype());
  if (index.numel() == 0) return to;  // an empty index may have any number of dimensions
  // A tensor without dimensions counts as one with one dimension.
  const auto flat = [](const Tensor& tensor) { return tensor.dim() == 0 ? unsqueeze(tensor, 0) : tensor; };
  const Tensor places = flat(to);
  // The saved tensor may have got other sizes and another dtype without counting a version.
  if (index.dtype() != Dtype::int32 && index.dtype() != Dtype::int64)
    raise_saying(ErrorClass::dtype_mismatch, "gather(): Expected dtype int32/int64 for index");
  if (!std::ranges::equal(index.sizes(), gradient.sizes()) || flat(index).dim() != places.dim())
    raise_saying(ErrorClass::shape, "Index tensor must have the same number of dimensions as input tensor");
  visit_dtype(to.dtype(), [&]<class T>(T) {
    if constexpr (std::floating_point<T>) add_all<T>(places, wrapped_dim(dim, to.dim()), flat(index), flat(gradient));
  });
  return to;
}

Tensor index_add(IntList sizes, std::int64_t dim, const Tensor& index, const Tensor& gradient) {
  const int rank = static_cast<int>(sizes.size());
  if (rank == 0) return scatter_add(sizes, dim, reshape(index, {}), gradient);
  const int at = wrapped_dim(dim, rank);
  DimVector spread(sizes.size(), 1);
  spread[static_cast<std::size_t>(at)] = index.numel();
  return scatter_add(sizes, dim, expand(reshape(index, spread), gradient.sizes()), gradient);
}

}  // namespace plumbline::optimized
