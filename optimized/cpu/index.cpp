// The CPU's ops that take a tensor of indices: index_select, gather, index_fill.
#include <algorithm>
#include <array>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/scratch.h"
#include "optimized/elements/elements.h"
#include "optimized/elements/read.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// A size or stride; a tensor without dimensions counts as one of one element.
std::int64_t size_at(const Tensor& tensor, int dim) { return tensor.dim() == 0 ? 1 : tensor.size(dim); }
std::int64_t stride_at(const Tensor& tensor, int dim) { return tensor.dim() == 0 ? 0 : tensor.stride(dim); }

/// The indices of a tensor of at most one dimension, as numbers that no one can change any more.
class Indices {
 public:
  explicit Indices(const Tensor& index) : count_(index.numel()), numbers_(count_) {
    const std::int64_t step = stride_at(index, 0);
    const ReadBytes bytes(*index.storage());
    const auto take = [&]<class I>(const I* all) {
      for (std::int64_t k = 0; k < count_; ++k) numbers_.data()[k] = all[index.offset() + k * step];
    };
    index.dtype() == Dtype::int64 ? take(reinterpret_cast<const std::int64_t*>(bytes.data()))
                                  : take(reinterpret_cast<const std::int32_t*>(bytes.data()));
  }

  std::span<std::int64_t> all() const { return {numbers_.data(), static_cast<std::size_t>(count_)}; }

 private:
  std::int64_t count_;
  Scratch<std::int64_t> numbers_;
};

/// The part of a tensor that is at one place of a dimension.
class Slices {
 public:
  Slices(const Tensor& tensor, int dim)
      : first_(Operand::of(tensor)),
        step_(stride_at(tensor, dim) * first_.item()),
        sizes_(rest(tensor.sizes(), dim)),
        strides_(rest(tensor.strides(), dim)) {}

  IntList sizes() const { return sizes_; }
  Operand at(std::int64_t place) const {
    return {first_.data + place * step_, sizes_, strides_, first_.dtype, first_.device};
  }

 private:
  static DimVector rest(IntList all, int dim) {
    DimVector rest(all.empty() ? 0 : all.size() - 1);
    for (std::size_t d = 0, to = 0; d < all.size(); ++d)
      if (static_cast<int>(d) != dim) rest[to++] = all[d];
    return rest;
  }

  Operand first_;
  std::int64_t step_;  ///< in bytes
  DimVector sizes_, strides_;
};

bool is_index_dtype(Dtype dtype) { return dtype == Dtype::int64 || dtype == Dtype::int32; }

void check_index_select(const Tensor& self, int dim, const Tensor& index) {
  if (index.dim() > 1)
    raise_saying(ErrorClass::shape, "index_select(): Index is supposed to be a vector", "IndexError");
  if (self.dim() == 0 && index.numel() != 1)
    raise_saying(ErrorClass::shape, "index_select(): Index to scalar can have only 1 value, got " +
                                        std::to_string(index.numel()) + " value(s)");
  if (!is_index_dtype(index.dtype()))
    raise_saying(ErrorClass::dtype_mismatch, "index_select(): Expected dtype int32 or int64 for index");
  if (self.dim() > 1 && index.numel() > 0 && self.size(dim) == 0)
    raise_saying(ErrorClass::index_range, "index_select(): self indexing axis dim should be positive");
}

void check_selected(const Tensor& self, int dim, std::span<const std::int64_t> indices) {
  const std::int64_t size = size_at(self, dim);
  for (const std::int64_t i : indices) {
    if (i >= 0 && i < size) continue;
    if (self.dim() < 2 || (dim != 1 && self.numel() > 0))
      raise_saying(ErrorClass::index_range, "index out of range in self", "IndexError");
    raise_saying(ErrorClass::index_range, "INDICES element is out of DATA bounds, id=" + std::to_string(i) +
                                              " axis_dim=" + std::to_string(size));
  }
}

/// For row-major tensors: `block` adjacent elements at each place of the dimension.
template <class T>
void select_blocks(const T* from, std::int64_t n, std::int64_t size, std::int64_t block,
                   std::span<const std::int64_t> indices, T* to) {
  for (std::int64_t rest = n; rest > 0; rest -= size * block, from += size * block) {
    if (block == 1) {
      for (const std::int64_t i : indices) *to++ = from[i];
    } else {
      for (const std::int64_t i : indices) to = std::copy_n(from + i * block, block, to);
    }
  }
}
void select_rows(const Tensor& self, int dim, std::span<const std::int64_t> indices, const Tensor& out) {
  if (out.numel() == 0) return;
  std::int64_t block = 1;
  for (int d = dim + 1; d < self.dim(); ++d) block *= self.size(d);
  visit_dtype(self.dtype(), [&]<class T>(T) {
    select_blocks(self.data<T>(), self.numel(), self.size(dim), block, indices, out.data<T>());
  });
}

Tensor index_select_kernel(const Tensor& self, std::int64_t dim, const Tensor& index) {
  const int at = wrapped_dim(dim, self.dim());
  check_index_select(self, at, index);
  const Indices indices(index);
  check_selected(self, at, indices.all());
  DimVector sizes = self.sizes();
  if (self.dim() != 0) sizes[static_cast<std::size_t>(at)] = index.numel();
  Tensor out = empty_tensor(sizes, self.dtype());
  if (self.dim() != 0 && self.is_contiguous() && self.dtype() != Dtype::boolean && on_cpu()) {
    select_rows(self, at, indices.all(), out);
    return out;
  }
  const Slices from(self, at);
  const Slices to(out, at);
  std::int64_t place = 0;
  for (const std::int64_t i : indices.all()) copy_elements(from.sizes(), to.at(place++), from.at(i));
  return out;
}

void check_gather(const Tensor& self, int dim, const Tensor& index) {
  if (!is_index_dtype(index.dtype()))
    raise_saying(ErrorClass::dtype_mismatch, "gather(): Expected dtype int32/int64 for index");
  if (std::max(self.dim(), 1) != std::max(index.dim(), 1))
    raise_saying(ErrorClass::shape, "Index tensor must have the same number of dimensions as input tensor");
  for (int d = 0; d < index.dim(); ++d)
    if (d != dim && index.size(d) > size_at(self, d))
      raise_saying(ErrorClass::shape, "Size does not match at dimension " + std::to_string(d) + " expected index " +
                                          printed(index.sizes()) + " to be no larger than self " +
                                          printed(self.sizes()) + " apart from dimension " + std::to_string(dim));
}

[[noreturn]] void raise_gathered(std::int64_t index, int dim, std::int64_t size) {
  raise_saying(ErrorClass::index_range, "index " + std::to_string(index) + " is out of bounds for dimension " +
                                            std::to_string(dim) + " with size " + std::to_string(size));
}

IndexLoops gather_loops(const Tensor& self, int dim, const Tensor& index, const Tensor& out) {
  IndexLoops loops{LoopNest<3>(index.dim()), size_at(self, dim), stride_at(self, dim), dim};
  for (int d = 0; d < index.dim(); ++d)
    loops.places.add(index.size(d), {index.stride(d), out.stride(d), d == dim ? 0 : stride_at(self, d)});
  return loops;
}

Tensor gather_kernel(const Tensor& self, std::int64_t dim, const Tensor& index, bool /*sparse_grad*/) {
  const int at = wrapped_dim(dim, self.dim());
  if (index.numel() != 0) check_gather(self, at, index);
  Tensor out = empty_tensor(index.sizes(), self.dtype());
  if (index.numel() == 0) return out;
  const IndexLoops loops = gather_loops(self, at, index, out);
  if (!on_cpu())
    if (const auto wrong = first_out_of_range(index, loops.size)) raise_gathered(*wrong, at, loops.size);
  primitives().gather(loops, Operand::of(index), Operand::of(out), Operand::of(self));
  return out;
}

/// May raise half-way, since no one else has `out` yet.
template <class T, class I>
void gather_into(const IndexLoops& loops, const I* index, T* out, const T* self) {
  LoopNest<3> outer = loops.places;
  const Axis<3> row = outer.innermost();
  outer.drop_innermost();
  outer.for_each([&](const Steps<3>& at) {
    const I* const asked = index + at[0];
    T* const to = out + at[1];
    const T* const from = self + at[2];
    for (std::int64_t k = 0; k < row.size; ++k) {
      const std::int64_t i = asked[k * row.steps[0]];
      if (i < 0 || i >= loops.size) [[unlikely]]
        raise_gathered(i, loops.dim, loops.size);
      to[k * row.steps[1]] = loaded<T>(reinterpret_cast<const std::byte*>(from + k * row.steps[2] + i * loops.step));
    }
  });
}

void check_int64(const Tensor& index) {
  if (index.dtype() != Dtype::int64)
    raise_saying(ErrorClass::dtype_mismatch, "index_fill_(): Expected dtype int64 for index.", "IndexError");
}

/// PyTorch sees the tensor restrided, as many times as there are indices, and that must lie in its storage: it does not
/// where the dimension has no elements.
void check_restrided(const Tensor& self, int dim, std::int64_t count) {
  DimVector sizes = self.dim() == 0 ? DimVector(1, 1) : DimVector(self.sizes());
  DimVector strides = self.dim() == 0 ? DimVector(1, 1) : DimVector(self.strides());
  sizes[static_cast<std::size_t>(dim)] = count;
  strides[static_cast<std::size_t>(dim)] = 0;
  std::int64_t needed = self.offset() + 1;
  bool beyond = false;  // what 64 bits hold
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return;
    std::int64_t reach = 0;
    beyond = __builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) || beyond;
    beyond = __builtin_add_overflow(needed, reach, &needed) || beyond;
  }
  const std::int64_t item = item_size(self.dtype());
  const auto held = static_cast<std::int64_t>(self.storage()->bytes());
  beyond = __builtin_mul_overflow(needed, item, &needed) || beyond;
  if (beyond || needed > held)
    raise_saying(ErrorClass::storage_bounds,
                 "setStorage: sizes " + printed(sizes) + ", strides " + printed(strides) + ", storage offset " +
                     std::to_string(self.offset()) + ", and itemsize " + std::to_string(item) +
                     " requiring a storage size of " + (beyond ? "more than 64 bits hold" : std::to_string(needed)) +
                     " are out of bounds for storage of size " + std::to_string(held));
}

/// Makes the indices count from the front; raises for one that is out of range.
void wrap_indices(std::span<std::int64_t> indices, int dim, std::int64_t size) {
  for (std::int64_t& i : indices) {
    if (i < -size || i >= size)
      raise_saying(ErrorClass::index_range,
                   "index " + std::to_string(i) + " is out of bounds for dimension " + std::to_string(dim) +
                       " with size " + std::to_string(size),
                   "IndexError");
    if (i < 0) i += size;
  }
}

/// [aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_fill_; cpu/IndexKernel.cpp, index_fill_kernel]. `index` was
/// found to be of int64.
void fill_at(const Tensor& self, std::int64_t dim, const Tensor& index, Scalar value) {
  const int at = wrapped_dim(dim, self.dim());
  if (index.dim() > 1) raise_saying(ErrorClass::shape, "Index has to be a vector/scalar");
  check_restrided(self, at, index.numel());
  const Scalar number = checked_number(value, self.dtype());
  const Slices slices(self, at);
  if (std::ranges::count(slices.sizes(), 0) != 0) return;
  const Indices indices(index);
  wrap_indices(indices.all(), at, size_at(self, at));
  for (const std::int64_t i : indices.all()) primitives().fill(slices.at(i), number);
}

const Tensor& index_fill_inplace_kernel(const Tensor& self, std::int64_t dim, const Tensor& index, Scalar value) {
  check_int64(index);
  check_overlap(self, index);
  fill_at(self, dim, index, value);
  return self;
}

/// Of a copy that keeps the order of the dimensions.
Tensor index_fill_kernel(const Tensor& self, std::int64_t dim, const Tensor& index, Scalar value) {
  check_int64(index);
  Tensor out = converted_tensor(self, self.dtype());
  fill_at(out, dim, index, value);
  return out;
}

}  // namespace

void cpu::gather(const IndexLoops& loops, const Operand& index, const Operand& out, const Operand& self) {
  visit_dtype(self.dtype, [&]<class T>(T) {
    auto* const to = reinterpret_cast<T*>(out.data);
    const auto* const from = reinterpret_cast<const T*>(self.data);
    index.dtype == Dtype::int64 ? gather_into(loops, reinterpret_cast<const std::int64_t*>(index.data), to, from)
                                : gather_into(loops, reinterpret_cast<const std::int32_t*>(index.data), to, from);
  });
}

std::span<const OpKernel> index_kernels() {
  static const std::array kernels{plain_kernel<op::index_select, index_select_kernel>(),
                                  plain_kernel<op::gather, gather_kernel>(),
                                  plain_kernel<op::index_fill_int_Scalar, index_fill_kernel>(),
                                  plain_kernel<op::index_fill__int_Scalar, index_fill_inplace_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
