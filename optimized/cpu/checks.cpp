// What kernels check before they write or make anything: dimensions, sizes and overlap.
#include "optimized/cpu/checks.h"

#include <algorithm>

#include "optimized/cpu/layout.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void raise_dim_range(std::int64_t dim, int n) {
  raise(ErrorClass::dim_range, {std::to_string(-n), std::to_string(n - 1), std::to_string(dim)});
}

DimVector broadcast_sizes(IntList a, IntList b) {
  const std::size_t n = std::max(a.size(), b.size());
  DimVector sizes(n);
  for (std::size_t back = 1; back <= n; ++back) {
    const std::int64_t of_a = back <= a.size() ? a[a.size() - back] : 1;
    const std::int64_t of_b = back <= b.size() ? b[b.size() - back] : 1;
    if (of_a != of_b && of_a != 1 && of_b != 1)
      raise(ErrorClass::shape, {std::to_string(of_a), std::to_string(of_b), std::to_string(n - back)});
    sizes[n - back] = of_a == 1 ? of_b : of_a;
  }
  return sizes;
}

void check_output_sizes(IntList out, IntList sizes) {
  if (!std::ranges::equal(out, sizes))
    raise_saying(ErrorClass::shape,
                 "output with shape " + printed(out) + " doesn't match the broadcast shape " + printed(sizes));
}

namespace {

bool is_row_major(IntList sizes, IntList strides) {
  std::int64_t expected = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

}  // namespace

bool is_dense(IntList sizes, IntList strides) {
  if (is_row_major(sizes, strides) || std::ranges::find(sizes, 0) != sizes.end()) return true;
  DimVector order(sizes.size());
  std::size_t longer = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1) order[longer++] = static_cast<std::int64_t>(d);
  std::sort(order.begin(), order.begin() + longer, [&](std::int64_t a, std::int64_t b) {
    return strides[static_cast<std::size_t>(a)] < strides[static_cast<std::size_t>(b)];
  });
  std::int64_t expected = 1;
  for (std::size_t i = 0; i < longer; ++i) {
    const auto d = static_cast<std::size_t>(order[i]);
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool repeats_elements(IntList sizes, IntList strides) {
  bool repeats = false;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return false;
    repeats = repeats || (strides[d] == 0 && sizes[d] > 1);
  }
  return repeats;
}

void check_internal_overlap(const Tensor& written) {
  if (repeats_elements(written.sizes(), written.strides())) raise(ErrorClass::overlap_internal);
}

namespace {

enum class Overlap : std::uint8_t { none, partial, full };

/// What two tensors share; this is checked only for dense ones [MemoryOverlap.cpp, get_overlap_status].
Overlap overlap_of(const Tensor& a, const Tensor& b) {
  if (a.is_same(b)) return Overlap::full;
  if (a.storage() != b.storage() || a.numel() == 0 || b.numel() == 0 || !is_dense(a.sizes(), a.strides()) ||
      !is_dense(b.sizes(), b.strides()))
    return Overlap::none;
  const std::int64_t a_begin = a.offset() * item_size(a.dtype());
  const std::int64_t b_begin = b.offset() * item_size(b.dtype());
  const std::int64_t a_end = a_begin + a.numel() * item_size(a.dtype());
  const std::int64_t b_end = b_begin + b.numel() * item_size(b.dtype());
  if (a_begin == b_begin && a_end == b_end)
    return std::ranges::equal(a.strides(), b.strides()) ? Overlap::full : Overlap::partial;
  return a_begin < b_end && b_begin < a_end ? Overlap::partial : Overlap::none;
}

}  // namespace

void check_partial_overlap(const Tensor& written, const Tensor& input) {
  if (overlap_of(written, input) == Overlap::partial) raise(ErrorClass::overlap_partial);
}

void check_overlap(const Tensor& written, const Tensor& input) {
  if (overlap_of(written, input) != Overlap::none) raise(ErrorClass::overlap_partial);
}

namespace {

/// Whether dimension `a` comes after `b`, where the first dimension runs fastest: 1 yes, -1 no, 0 either.
int comes_after(IntList sizes, IntList strides, std::size_t a, std::size_t b) {
  if (strides[a] == 0 || strides[b] == 0) return 0;
  if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
  return sizes[a] > sizes[b] ? 1 : 0;
}

}  // namespace

DimVector dense_strides(IntList sizes, IntList strides) {
  if (is_dense(sizes, strides)) return strides;
  const std::size_t n = sizes.size();
  DimVector order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::int64_t>(n - 1 - i);
  sort_dims(order, [&](std::size_t a, std::size_t b) { return comes_after(sizes, strides, a, b); });
  DimVector dense(n);
  std::int64_t stride = 1;
  for (const std::int64_t d : order) {
    dense[static_cast<std::size_t>(d)] = stride;
    stride = stride_product(stride, std::max<std::int64_t>(sizes[static_cast<std::size_t>(d)], 1));
  }
  return dense;
}

DimVector row_major_strides(IntList sizes) {
  DimVector strides(sizes.size());
  std::int64_t stride = 1;
  bool overflow = false;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (overflow) raise_saying(ErrorClass::range, "Stride calculation overflowed");
    strides[d] = stride;
    overflow = __builtin_mul_overflow(stride, std::max<std::int64_t>(sizes[d], 1), &stride);
  }
  return strides;
}

namespace {

std::int64_t bytes_for(std::int64_t offset, std::int64_t numel, Dtype dtype) {
  std::int64_t bytes = 0;
  if (__builtin_add_overflow(offset, numel, &bytes) || __builtin_mul_overflow(bytes, item_size(dtype), &bytes))
    raise_saying(ErrorClass::range, "numel: integer multiplication overflow");
  return bytes;
}

}  // namespace

void resize_output(const Tensor& out, IntList sizes, IntList strides) {
  if (std::ranges::equal(out.sizes(), sizes)) return;
  TensorImpl& impl = out.impl();
  const std::int64_t numel = numel_of(sizes);
  if (numel != 0) {
    const auto bytes = static_cast<std::size_t>(bytes_for(impl.offset, numel, impl.dtype));
    if (bytes > impl.storage()->bytes()) impl.storage()->grow(bytes);
  }
  impl.set_dim(static_cast<int>(sizes.size()));
  impl.numel = numel;
  const DimVector laid = strides.empty() ? row_major_strides(sizes) : DimVector(strides);
  std::copy(sizes.begin(), sizes.end(), impl.sizes());
  std::copy(laid.begin(), laid.end(), impl.strides());
}

std::string printed(IntList sizes) {
  std::string text = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  return text + "]";
}

}  // namespace plumbline::optimized
