// The CPU's maxima and minima, and where they are.
#include <array>
#include <string>
#include <tuple>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/fast.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/reduce.h"
#include "optimized/cpu/reduction_plan.h"
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

Tensor extreme_of(bool largest, const Tensor& self, const ReducedDims& dims, bool keepdim) {
  Tensor out = empty_tensor(reduced_sizes(self, dims, keepdim), self.dtype());
  primitives().extreme(ReductionPlan(self, dims, keepdim, out.strides()), Operand::of(self), Operand::of(out), largest);
  return out;
}

Tensor max_kernel(const Tensor& self) {
  if (self.numel() == 0)
    raise_saying(ErrorClass::range,
                 "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
                 "the 'dim' argument.");
  if (self.dtype() == Dtype::float32 && self.numel() < kParallelElements && is_row(self.impl())) {
    Tensor out = single<Dtype::float32>(0);
    *out.data<float>() = simd::reductions<float>().largest(self.data<float>(), self.numel());
    return out;
  }
  return extreme_of(true, self, reduced_dims(self, {}), false);
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
RowLoops search_loops(const Tensor& self, int dim, bool keepdim, const Tensor& out) {
  RowLoops loops{LoopNest<2>(self.dim())};
  for (int d = 0, at = 0; d < self.dim(); ++d) {
    if (d == dim) {
      loops.n = self.size(d);
      loops.from_step = self.stride(d);
      at += keepdim ? 1 : 0;
    } else {
      loops.rows.add(self.size(d), {self.stride(d), out.stride(at)});
      ++at;
    }
  }
  loops.rows.merge();
  return loops;
}

/// Where the largest of each row along `dim` is, and, if `values` is defined, what it is. Both are laid out alike.
void search_along(const Tensor& self, int dim, bool keepdim, const Tensor& indices, const Tensor& values) {
  const RowLoops loops = search_loops(self, dim, keepdim, indices);
  if (!values.defined()) return primitives().search(loops, Operand::of(self), Operand::of(indices), nullptr);
  const Operand found = Operand::of(values);
  primitives().search(loops, Operand::of(self), Operand::of(indices), &found);
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
    copy_elements(self.sizes(), Operand::of(row), Operand::of(self));
  }
  Tensor out = empty_tensor(reduced_sizes(self, reduced_dims(self, {}), keepdim), Dtype::int64);
  primitives().search({LoopNest<2>(0), row.numel()}, Operand::of(row), Operand::of(out), nullptr);
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
  Tensor least = extreme_of(false, self, dims, keepdim);
  return {std::move(least), extreme_of(true, self, dims, keepdim)};
}

}  // namespace

void cpu::extreme(const ReductionLoops& loops, const Operand& from, const Operand& to, bool largest) {
  visit_dtype(from.dtype, [&]<class T>(T) {
    const auto* const elements = reinterpret_cast<const T*>(from.data);
    const auto save = [out = reinterpret_cast<T*>(to.data)](std::int64_t place, T extreme) { out[place] = extreme; };
    largest ? reduce<ExtremeReduction<T, true>>(loops, elements, save)
            : reduce<ExtremeReduction<T, false>>(loops, elements, save);
  });
}

void cpu::search(const RowLoops& loops, const Operand& from, const Operand& indices, const Operand* values) {
  visit_dtype(from.dtype, [&]<class T>(T) {
    T* const to = values == nullptr ? nullptr : reinterpret_cast<T*>(values->data);
    const auto some = [&](std::int64_t begin, std::int64_t end) {
      loops.rows.for_each_between(begin, end, [&](const Steps<2>& places) {
        const T* const row = reinterpret_cast<const T*>(from.data) + places[0];
        const std::int64_t at = first_largest(row, loops.n, loops.from_step);
        reinterpret_cast<std::int64_t*>(indices.data)[places[1]] = at;
        if (to != nullptr) to[places[1]] = loaded<T>(reinterpret_cast<const std::byte*>(row + at * loops.from_step));
      });
    };
    const std::int64_t results = loops.rows.size();
    reducing::is_shared(results, loops.n) ? share(results, some) : some(0, results);
  });
}

std::span<const OpKernel> maximum_kernels() {
  static const std::array kernels{plain_kernel<op::max, max_kernel>(), plain_kernel<op::max_dim, max_dim_kernel>(),
                                  plain_kernel<op::argmax, argmax_kernel>(),
                                  plain_kernel<op::aminmax, aminmax_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
