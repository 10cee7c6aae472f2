// Where the elements of a view lie.
#include "optimized/cpu/layout.h"

#include <algorithm>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

std::size_t at(int dim) { return static_cast<std::size_t>(dim); }

void needs_dimension(const Tensor& self, const char* op) {
  if (self.dim() == 0)
    raise_saying(ErrorClass::dim_range, std::string(op) + "() cannot be applied to a 0-dim tensor.", "IndexError");
}

/// The tensor's own without a dimension.
Layout without(const Tensor& self, int dim) {
  const auto rank = at(self.dim());
  Layout layout{DimVector(rank - 1), DimVector(rank - 1), self.offset()};
  for (int d = 0, to = 0; d < self.dim(); ++d) {
    if (d == dim) continue;
    layout.sizes[at(to)] = self.size(d);
    layout.strides[at(to++)] = self.stride(d);
  }
  return layout;
}

}  // namespace

Selected selected_of(const Tensor& self, std::int64_t dim, std::int64_t index) {
  needs_dimension(self, "select");
  const int d = wrapped_dim(dim, self.dim());
  const std::int64_t size = self.size(d);
  if (index < -size || index >= size)
    raise_saying(ErrorClass::index_range,
                 "select(): index " + std::to_string(index) + " out of range for tensor of size " +
                     printed(self.sizes()) + " at dimension " + std::to_string(d),
                 "IndexError");
  return {d, self.offset() + (index < 0 ? index + size : index) * self.stride(d)};
}

Layout select_layout(const Tensor& self, std::int64_t dim, std::int64_t index) {
  const Selected selected = selected_of(self, dim, index);
  Layout layout = without(self, selected.dim);
  layout.offset = selected.offset;
  return layout;
}

Slice slice_of(const Tensor& self, std::int64_t dim, const std::optional<std::int64_t>& start,
               const std::optional<std::int64_t>& end, std::int64_t step) {
  needs_dimension(self, "slice");
  const int d = wrapped_dim(dim, self.dim());
  if (step <= 0) raise_saying(ErrorClass::range, "slice step must be positive");
  const std::int64_t size = self.size(d);
  const auto clamped = [&](std::int64_t place, std::int64_t low) {
    return std::clamp(place < 0 ? place + size : place, low, size);
  };
  const std::int64_t from = clamped(start.value_or(0), 0);
  const std::int64_t to = clamped(end.value_or(size), from);
  // Most slices have step 1, and a division costs more than the rest of this.
  const std::int64_t length = step == 1 ? to - from : (to - from) / step + ((to - from) % step == 0 ? 0 : 1);
  return {d, length, stride_product(self.stride(d), step), from * self.stride(d)};
}

Layout transpose_layout(const Tensor& self, std::int64_t dim0, std::int64_t dim1) {
  const int a = wrapped_dim(dim0, self.dim());
  const int b = wrapped_dim(dim1, self.dim());
  Layout layout = Layout::of(self);
  if (self.dim() == 0) return layout;
  std::swap(layout.sizes[at(a)], layout.sizes[at(b)]);
  std::swap(layout.strides[at(a)], layout.strides[at(b)]);
  return layout;
}

Layout t_layout(const Tensor& self, const char* name) {
  if (self.dim() > 2)
    raise_saying(ErrorClass::shape, std::string(name) + "() expects a tensor with <= 2 dimensions, but self is " +
                                        std::to_string(self.dim()) + "D");
  return self.dim() < 2 ? Layout::of(self) : transpose_layout(self, 0, 1);
}

Layout permute_layout(const Tensor& self, IntList dims) {
  if (static_cast<int>(dims.size()) != self.dim())
    raise_saying(ErrorClass::shape,
                 "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
                 "desired ordering of dimensions i.e. input.dim() = " +
                     std::to_string(self.dim()) + " is not equal to len(dims) = " + std::to_string(dims.size()));
  Layout layout{DimVector(dims.size()), DimVector(dims.size()), self.offset()};
  DimVector seen(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const int from = wrapped_dim(dims[i], self.dim());
    if (seen[at(from)]++ != 0) raise_saying(ErrorClass::dim_repeated, "permute(): duplicate dims are not allowed.");
    layout.sizes[i] = self.size(from);
    layout.strides[i] = self.stride(from);
  }
  return layout;
}

Layout squeeze_layout(const Tensor& self) {
  std::size_t kept = 0;
  for (const std::int64_t size : self.sizes()) kept += size == 1 ? 0 : 1;
  Layout layout{DimVector(kept), DimVector(kept), self.offset()};
  std::size_t to = 0;
  for (int d = 0; d < self.dim(); ++d) {
    if (self.size(d) == 1) continue;
    layout.sizes[to] = self.size(d);
    layout.strides[to++] = self.stride(d);
  }
  return layout;
}

Layout squeeze_dim_layout(const Tensor& self, std::int64_t dim) {
  const int d = wrapped_dim(dim, self.dim());
  return self.dim() > 0 && self.size(d) == 1 ? without(self, d) : Layout::of(self);
}

Layout unsqueeze_layout(const Tensor& self, std::int64_t dim) {
  const int d = wrapped_dim(dim, self.dim() + 1);
  const auto rank = at(self.dim()) + 1;
  Layout layout{DimVector(rank), DimVector(rank), self.offset()};
  layout.sizes[at(d)] = 1;
  layout.strides[at(d)] = d < self.dim() ? stride_product(self.size(d), self.stride(d)) : 1;
  for (int from = 0; from < self.dim(); ++from) {
    const auto to = at(from < d ? from : from + 1);
    layout.sizes[to] = self.size(from);
    layout.strides[to] = self.stride(from);
  }
  return layout;
}

Layout diagonal_layout(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  const int a = wrapped_dim(dim1, self.dim());
  const int b = wrapped_dim(dim2, self.dim());
  if (a == b)
    raise_saying(ErrorClass::dim_repeated,
                 "diagonal dimensions cannot be identical " + std::to_string(dim1) + ", " + std::to_string(dim2));
  // A distance beyond any size leaves nothing; clamped, it cannot overflow.
  const std::int64_t rows = self.size(a) + std::clamp<std::int64_t>(offset, -self.size(a), 0);
  const std::int64_t columns = self.size(b) - std::clamp<std::int64_t>(offset, 0, self.size(b));
  const std::int64_t length = std::min(rows, columns);
  Layout layout{DimVector(at(self.dim()) - 1), DimVector(at(self.dim()) - 1), self.offset()};
  std::size_t to = 0;
  for (int d = 0; d < self.dim(); ++d) {
    if (d == a || d == b) continue;
    layout.sizes[to] = self.size(d);
    layout.strides[to++] = self.stride(d);
  }
  layout.sizes[to] = length;
  layout.strides[to] = static_cast<std::int64_t>(static_cast<std::uint64_t>(self.stride(a)) +
                                                 static_cast<std::uint64_t>(self.stride(b)));
  if (length > 0) layout.offset += offset >= 0 ? offset * self.stride(b) : -offset * self.stride(a);
  return layout;
}

Layout unfold_layout(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step) {
  const int d = wrapped_dim(dimension, self.dim());
  const std::int64_t whole = self.dim() == 0 ? 1 : self.size(d);
  if (size < 0) raise_saying(ErrorClass::range, "size is " + std::to_string(size) + " but must be >= 0");
  if (size > whole)
    raise_saying(ErrorClass::range, "maximum size for tensor at dimension " + std::to_string(d) + " is " +
                                        std::to_string(whole) + " but size is " + std::to_string(size));
  if (step <= 0) raise_saying(ErrorClass::range, "step is " + std::to_string(step) + " but must be > 0");
  Layout layout = Layout::of(self);
  const std::int64_t stride = self.dim() == 0 ? 1 : self.stride(d);
  layout.sizes.push_back(size);
  layout.strides.push_back(stride);
  if (self.dim() == 0) return layout;
  layout.sizes[at(d)] = (whole - size) / step + 1;
  layout.strides[at(d)] = stride_product(stride, step);
  return layout;
}

Layout view_layout(const Tensor& self, IntList size) {
  DimVector sizes = inferred_sizes(size, self.numel());
  std::optional<DimVector> strides = view_strides(self, sizes);
  if (!strides) raise(ErrorClass::view_stride);
  return {std::move(sizes), *std::move(strides), self.offset()};
}

DimVector inferred_sizes(IntList shape, std::int64_t numel) {
  DimVector sizes(shape);
  std::int64_t rest = 1;
  std::optional<std::size_t> open;
  bool overflow = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1 && open) raise_saying(ErrorClass::range, "only one dimension can be inferred");
    if (sizes[i] < -1)
      raise_saying(ErrorClass::range, "invalid shape dimension " + std::to_string(sizes[i]) + " at index " +
                                          std::to_string(i) + " of shape " + printed(shape));
    if (sizes[i] == -1)
      open = i;
    else
      overflow = __builtin_mul_overflow(rest, sizes[i], &rest) || overflow;
  }
  // An overflowed product with a later 0 is 0 anyway.
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    rest = 0;
    overflow = false;
  }
  if (open && rest == 0 && numel == 0)
    raise_saying(ErrorClass::shape, "cannot reshape tensor of 0 elements into shape " + printed(shape) +
                                        " because the unspecified dimension size -1 can be any value and is ambiguous");
  const bool fits = !overflow && (open ? rest > 0 && numel % rest == 0 : rest == numel);
  if (!fits)
    raise_saying(ErrorClass::shape,
                 "shape '" + printed(shape) + "' is invalid for input of size " + std::to_string(numel));
  if (open) sizes[*open] = numel / rest;
  return sizes;
}

// From the last dimension on, what lies in memory without a gap is one chunk, which new sizes must use up exactly.
std::optional<DimVector> view_strides(const Tensor& self, IntList sizes) {
  if (self.numel() == 0) {
    if (std::ranges::equal(self.sizes(), sizes)) return DimVector(self.strides());
    return row_major_strides(sizes);
  }
  DimVector strides(sizes.size(), 1);
  if (self.dim() == 0) return strides;
  int view = static_cast<int>(sizes.size()) - 1;
  std::int64_t chunk = 1;
  std::int64_t chunk_stride = self.stride(self.dim() - 1);
  for (int d = self.dim() - 1; d >= 0; --d) {
    chunk *= self.size(d);
    if (d > 0 && (self.size(d - 1) == 1 || self.stride(d - 1) == chunk * chunk_stride)) continue;
    std::int64_t used = 1;
    for (; view >= 0 && (used < chunk || sizes[at(view)] == 1); --view) {
      strides[at(view)] = used * chunk_stride;
      used *= sizes[at(view)];
    }
    if (used != chunk) return std::nullopt;
    if (d > 0) {
      chunk = 1;
      chunk_stride = self.stride(d - 1);
    }
  }
  return view < 0 ? std::optional(std::move(strides)) : std::nullopt;
}

}  // namespace plumbline::optimized
