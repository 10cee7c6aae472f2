// The CPU's maxima and minima, and where they are.
#include <array>
#include <string>
#include <tuple>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/fast.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/reduce.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// The dimension from the front; raises where it has no elements [aten/src/ATen/native/ReduceOpsUtils.h,
/// zero_numel_check_dims].
int filled_dim(const Tensor& self, std::int64_t dim, const char* op) {
  const int at = wrapped_dim(dim, self.dim());
  if (self.dim() != 0 && self.size(at) == 0)
    raise_saying(ErrorClass::range,
                 std::string(op) + ": Expected reduction dim " + std::to_string(at) + " to have non-zero size.",
                 "IndexError");
  return at;
}

template <bool kLargest>
Tensor extreme_of(const Tensor& self, const ReducedDims& dims, bool keepdim) {
  Tensor out = empty_tensor(reduced_sizes(self, dims, keepdim), self.dtype());
  const ReductionPlan plan(self, dims, keepdim, out.strides());
  visit_dtype(self.dtype(), [&]<class T>(T) {
    T* const to = out.data<T>();
    reduce<ExtremeReduction<T, kLargest>>(plan, self.data<T>(),
                                          [&](std::int64_t place, T extreme) { to[place] = extreme; });
  });
  return out;
}

Tensor max_kernel(const Tensor& self) {
  if (self.numel() == 0)
    raise_saying(ErrorClass::range,
                 "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
                 "the 'dim' argument.");
  if (self.dtype() == Dtype::float32 && self.numel() < kParallelElements && self.is_contiguous()) {
    Tensor out = single<Dtype::float32>(0);
    *out.data<float>() = simd::reductions<float>().largest(self.data<float>(), self.numel());
    return out;
  }
  return extreme_of<true>(self, reduced_dims(self, {}), false);
}

/// Which of n > 0 elements in steps is the first of the largest; not-a-number if there is one.
template <class T>
std::int64_t first_largest(const T* from, std::int64_t n, std::int64_t step) {
  const T largest = reducing::plain_row<ExtremeReduction<T, true>>(from, n, step);
  if (step == 1) return simd::reductions<T>().find(from, largest, n);
  const auto is_it = [&](T element) {
    return element == largest || (largest != largest && element != element);  // NOLINT(misc-redundant-expression)
  };
  std::int64_t i = 0;
  while (!is_it(loaded<T>(reinterpret_cast<const std::byte*>(from + i * step)))) ++i;
  return i;
}

/// Loops over the elements of a result, and the dimension along which `self` is searched.
struct Search {
  LoopNest<2> rows;
  std::int64_t n = 1;
  std::int64_t step = 1;

  Search(const Tensor& self, int dim, bool keepdim, const Tensor& out) : rows(self.dim()) {
    for (int d = 0, at = 0; d < self.dim(); ++d) {
      if (d == dim) {
        n = self.size(d);
        step = self.stride(d);
        at += keepdim ? 1 : 0;
      } else {
        rows.add(self.size(d), {self.stride(d), out.stride(at)});
        ++at;
      }
    }
    rows.merge();
  }
};

/// Where the largest of each row along `dim` is, and, if `values` is defined, what it is. Both are laid out alike.
void search_along(const Tensor& self, int dim, bool keepdim, const Tensor& indices, const Tensor& values) {
  const Search search(self, dim, keepdim, indices);
  const auto run = [&]<class T>(T) {
    T* const to = values.defined() ? values.data<T>() : nullptr;
    const auto some = [&](std::int64_t begin, std::int64_t end) {
      search.rows.for_each_between(begin, end, [&](const Steps<2>& places) {
        const T* const row = self.data<T>() + places[0];
        const std::int64_t at = first_largest(row, search.n, search.step);
        indices.data<std::int64_t>()[places[1]] = at;
        if (to != nullptr) to[places[1]] = loaded<T>(reinterpret_cast<const std::byte*>(row + at * search.step));
      });
    };
    const std::int64_t results = search.rows.size();
    reducing::is_shared(results, search.n) ? share(results, some) : some(0, results);
  };
  visit_dtype(self.dtype(), run);
}

std::tuple<Tensor, Tensor> max_dim_kernel(const Tensor& self, std::int64_t dim, bool keepdim) {
  const int at = filled_dim(self, dim, "max()");
  const DimVector sizes = reduced_sizes(self, reduced_dim(self, at), keepdim);
  std::tuple<Tensor, Tensor> out{empty_tensor(sizes, self.dtype()), empty_tensor(sizes, Dtype::int64)};
  search_along(self, at, keepdim, std::get<1>(out), std::get<0>(out));
  return out;
}

/// Of all elements, row-major, as one row.
Tensor argmax_of_all(const Tensor& self, bool keepdim) {
  if (self.numel() == 0)
    raise_saying(ErrorClass::range, "argmax(): Expected reduction dim to be specified for input.numel() == 0.",
                 "IndexError");
  Tensor row = self;
  if (!self.is_contiguous()) {
    row = empty_tensor(self.sizes(), self.dtype());
    copy_elements(self.sizes(), Operand::of(row), self.dtype(), Operand::of(self), self.dtype());
  }
  Tensor out = empty_tensor(reduced_sizes(self, reduced_dims(self, {}), keepdim), Dtype::int64);
  visit_dtype(self.dtype(),
              [&]<class T>(T) { *out.data<std::int64_t>() = first_largest(row.data<T>(), row.numel(), 1); });
  return out;
}

Tensor argmax_kernel(const Tensor& self, const std::optional<std::int64_t>& dim, bool keepdim) {
  if (self.dtype() == Dtype::boolean) raise_saying(ErrorClass::dtype_op, "argmax(): does not support bool input");
  if (!dim) return argmax_of_all(self, keepdim);
  const int at = filled_dim(self, *dim, "argmax()");
  Tensor out = empty_tensor(reduced_sizes(self, reduced_dim(self, at), keepdim), Dtype::int64);
  search_along(self, at, keepdim, out, {});
  return out;
}

std::tuple<Tensor, Tensor> aminmax_kernel(const Tensor& self, const std::optional<std::int64_t>& dim, bool keepdim) {
  if (!dim && self.numel() == 0)
    raise_saying(ErrorClass::range,
                 "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  const ReducedDims dims = dim ? reduced_dim(self, filled_dim(self, *dim, "aminmax")) : reduced_dims(self, {});
  Tensor least = extreme_of<false>(self, dims, keepdim);
  return {std::move(least), extreme_of<true>(self, dims, keepdim)};
}

}  // namespace

std::span<const OpKernel> maximum_kernels() {
  static const std::array kernels{plain_kernel<op::max, max_kernel>(), plain_kernel<op::max_dim, max_dim_kernel>(),
                                  plain_kernel<op::argmax, argmax_kernel>(),
                                  plain_kernel<op::aminmax, aminmax_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
