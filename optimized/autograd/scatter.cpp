// Gradients of the elements that an index selected.
#include "optimized/autograd/scatter.h"

#include <algorithm>

#include "optimized/cpu/checks.h"
#include "optimized/elements/primitives.h"
#include "optimized/elements/read.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

IndexLoops loops_of(const Tensor& to, int dim, const Tensor& index, const Tensor& gradient) {
  IndexLoops loops{LoopNest<3>(index.dim()), to.size(dim), to.stride(dim), dim};
  for (int d = 0; d < index.dim(); ++d)
    loops.places.add(index.size(d), {index.stride(d), gradient.stride(d), d == dim ? 0 : to.stride(d)});
  return loops;
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
  const IndexLoops loops = loops_of(places, wrapped_dim(dim, to.dim()), flat(index), flat(gradient));
  if (first_out_of_range(index, loops.size))
    raise_saying(ErrorClass::index_range, "index out of range in self", "IndexError");
  if (is_floating(to.dtype()))
    primitives().scatter_add(loops, Operand::of(index), Operand::of(gradient), Operand::of(to));
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
