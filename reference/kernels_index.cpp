// The kernels of the ops that take a tensor of indices: index_select, gather, index_fill.
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/pointwise.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_ops.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

namespace {

std::size_t as_size(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The sizes, or one dimension of size 1 if there are none.
Sizes at_least_one(Sizes sizes) {
  if (sizes.empty()) sizes.push_back(1);
  return sizes;
}

Effect row_major_result(Sizes sizes, Dtype dtype, std::vector<Element> elements) {
  Effect effect;
  Sizes strides = row_major(sizes);
  effect.fresh.push_back({std::move(sizes), std::move(strides), dtype, std::move(elements)});
  return effect;
}

/// The row-major position in `sizes` of element `i` of `chosen` sizes, moved to `place` in dimension `dim`.
std::int64_t position(std::int64_t i, const Sizes& chosen, const Sizes& sizes, std::size_t dim, std::int64_t place) {
  std::int64_t found = 0;
  std::int64_t step = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    found += step * (d == dim ? place : i % chosen[d]);
    i /= chosen[d];
    step *= sizes[d];
  }
  return found;
}

/// The index in dimension `dim` of row-major element `i` of `chosen` sizes.
std::int64_t coordinate(std::int64_t i, const Sizes& chosen, std::size_t dim) {
  for (std::size_t d = chosen.size(); d-- > dim + 1;) i /= chosen[d];
  return i % chosen[dim];
}

bool is_index(const Judge& judge, Dtype dtype, bool gather) { return takes_indices<Concrete>(judge, dtype, gather).v; }

/// [aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_select_out_cpu_]
Effect index_select(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Tensor& index = call.tensor(2);
  const Sizes sizes = sizes_of(self.geometry);
  const auto dim = as_size(wrapped_dim(call.judge, call.arguments.integer(1), sizes.size()));
  const std::int64_t count = element_count(sizes_of(index.geometry));
  if (index.geometry.rank() > 1)
    raise(ErrorClass::shape, "index_select(): Index is supposed to be a vector", "IndexError");
  const auto takes = sizes.empty() ? indices_of_scalar<Concrete>(call.judge, count == 1).v : kTakes;
  if (takes == kReadsMemory) throw ReferenceLimit("index_select of a tensor without dimensions with several indices");
  if (takes == kRefuses)
    raise(ErrorClass::shape, text("index_select(): Index to scalar can have only 1 value, got ", count, " value(s)"));
  if (!is_index(call.judge, index.dtype, false))
    raise(ErrorClass::dtype_mismatch, "index_select(): Expected dtype int32 or int64 for index");
  const Sizes whole = at_least_one(sizes);
  Sizes chosen = whole;
  chosen[dim] = count;
  if (sizes.size() > 1 && count > 0 && whole[dim] == 0)
    raise(ErrorClass::index_range, "index_select(): self indexing axis dim should be positive");
  const std::vector<Element> indices = elements_of(call.state, index);
  std::vector<std::int64_t> places;
  for (const Element& element : indices) {
    if (!element.known) throw ReferenceLimit("an unspecified index");
    const auto at = index_place<Concrete>(call.judge, element.integer, whole[dim], false);
    if (at.error.v != 0) {
      if (sizes.size() < 2 || (dim != 1 && element_count(sizes) > 0))
        raise(ErrorClass::index_range, "index out of range in self", "IndexError");
      raise(ErrorClass::index_range,
            text("INDICES element is out of DATA bounds, id=", element.integer, " axis_dim=", whole[dim]));
    }
    places.push_back(at.place.v);
  }
  const std::vector<Element> from = elements_of(call.state, self);
  std::vector<Element> elements;
  for (std::int64_t i = 0; i < element_count(chosen); ++i) {
    const auto which = as_size(coordinate(i, chosen, dim));
    elements.push_back(from[as_size(position(i, chosen, whole, dim, places[which]))]);
  }
  if (sizes.empty()) elements.resize(1);
  return row_major_result(sizes.empty() ? Sizes{} : chosen, self.dtype, std::move(elements));
}

/// The error of gather for indices that are out of range. Which of several it names depends on the order of the
/// kernel's loops and threads [aten/src/ATen/native/cpu/ScatterGatherKernel.cpp, cpu_scatter_gather_base_kernel].
[[noreturn]] void raise_index_range(const std::vector<std::int64_t>& outside, std::size_t dim, std::int64_t size) {
  const bool one = std::ranges::count(outside, outside.front()) == std::ssize(outside);
  raise(ErrorClass::index_range, text("index ", one ? std::to_string(outside.front()) : "…",
                                      " is out of bounds for dimension ", dim, " with size ", size));
}

/// [aten/src/ATen/native/TensorAdvancedIndexing.cpp, gather's meta function; ScatterGatherChecks.h, gather_shape_check]
Effect gather(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Tensor& index = call.tensor(2);
  const auto dim =
      as_size(wrapped_dim(call.judge, call.arguments.integer(1), static_cast<std::size_t>(self.geometry.rank())));
  const Sizes chosen = sizes_of(index.geometry);
  const std::int64_t count = element_count(chosen);
  if (count == 0) return row_major_result(chosen, self.dtype, {});
  if (!is_index(call.judge, index.dtype, true))
    raise(ErrorClass::dtype_mismatch, "gather(): Expected dtype int32/int64 for index");
  const Sizes asked = at_least_one(chosen);
  const Sizes whole = at_least_one(sizes_of(self.geometry));
  if (asked.size() != whole.size())
    raise(ErrorClass::shape, "Index tensor must have the same number of dimensions as input tensor");
  for (std::size_t d = 0; d < whole.size(); ++d)
    if (d != dim && !gather_fits<Concrete>(call.judge, asked[d], whole[d]).v)
      raise(ErrorClass::shape,
            text("Size does not match at dimension ", d, " expected index ", printed(chosen),
                 " to be no larger than self ", printed(sizes_of(self.geometry)), " apart from dimension ", dim));
  const std::vector<Element> indices = elements_of(call.state, index);
  const std::vector<Element> from = elements_of(call.state, self);
  std::vector<Element> elements;
  std::vector<std::int64_t> outside;
  for (std::int64_t i = 0; i < count; ++i) {
    const Element& element = indices[as_size(i)];
    if (!element.known) throw ReferenceLimit("an unspecified index");
    const auto at = index_place<Concrete>(call.judge, element.integer, whole[dim], false);
    if (at.error.v != 0)
      outside.push_back(element.integer);
    else
      elements.push_back(from[as_size(position(i, asked, whole, dim, at.place.v))]);
  }
  if (!outside.empty()) raise_index_range(outside, dim, whole[dim]);
  return row_major_result(chosen, self.dtype, std::move(elements));
}

/// The memory that index_fill_ writes.
struct Filled {
  Geometry geometry;
  Dtype dtype;
  std::int64_t available;  ///< how many elements its storage holds
  std::vector<Element> elements;
};

/// PyTorch restrides the tensor to as many rows as there are indices. The result must be within the storage, which
/// fails if the dimension has no elements.
void check_restrided(const Filled& self, std::size_t dim, std::int64_t count) {
  Sizes sizes = at_least_one(sizes_of(self.geometry));
  Sizes strides = strides_of(self.geometry);
  strides.resize(sizes.size());
  sizes[dim] = count;
  strides[dim] = 0;
  if (element_count(sizes) == 0) return;
  const std::vector<std::int64_t> places = places_of(geometry_of(sizes, strides, self.geometry.offset.v));
  const std::int64_t needed = *std::max_element(places.begin(), places.end()) + 1;
  if (needed > self.available)
    raise_storage_bounds(sizes, strides, self.geometry.offset.v, self.dtype, needed,
                         self.available * item_size(self.dtype));
}

/// The elements of `self` after index_fill_ [aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_fill_;
/// cpu/IndexKernel.cpp, index_fill_kernel]. Raises an error before anything is written, or the effect has what was
/// written.
Effect filled_at(const KernelCall& call, Filled self) {
  const Tensor& index = call.tensor(2);
  const Sizes whole = at_least_one(sizes_of(self.geometry));
  const auto dim =
      as_size(wrapped_dim(call.judge, call.arguments.integer(1), static_cast<std::size_t>(self.geometry.rank())));
  if (index.geometry.rank() > 1) raise(ErrorClass::shape, "Index has to be a vector/scalar");
  const std::vector<Element> indices = elements_of(call.state, index);
  check_restrided(self, dim, static_cast<std::int64_t>(indices.size()));
  const Element value = checked_element(call.arguments.number(3), self.dtype);
  const std::vector<std::int64_t> places = places_of(self.geometry);
  std::unordered_map<std::int64_t, Element> changed;  // by place: elements at one place are filled together
  Sizes chosen = whole;
  chosen[dim] = 1;
  const std::int64_t lines = element_count(chosen);
  Effect effect;
  std::optional<Failure> failure;
  for (const Element& element : indices) {
    const auto at = index_place<Concrete>(call.judge, element.integer, whole[dim], true);
    if (lines > 0 && !element.known) throw ReferenceLimit("an unspecified index");
    if (lines > 0 && at.error.v != 0) {
      if (!failure)
        failure =
            Failure{ErrorClass::index_range,
                    text("index ", element.integer, " is out of bounds for dimension ", dim, " with size ", whole[dim]),
                    "IndexError"};
      continue;
    }
    for (std::int64_t i = 0; i < lines; ++i)
      changed[places[as_size(position(i, chosen, whole, dim, at.place.v))]] = value;
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    if (const auto found = changed.find(places[i]); found != changed.end()) {
      self.elements[i] = found->second;
      // no rule says which elements were written before the error
      self.elements[i].known = self.elements[i].known && !failure;
    }
  effect.written = std::move(self.elements);
  return failure ? raised_after(call.judge, std::move(effect), *failure) : effect;
}

void needs_int64(const Tensor& index) {
  if (index.dtype != Dtype::int64)
    raise(ErrorClass::dtype_mismatch, "index_fill_(): Expected dtype int64 for index.", "IndexError");
}

Effect index_fill_(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Tensor& index = call.tensor(2);
  needs_int64(index);
  const Overlap overlap = &self == &index ? Overlap::full : overlap_between(self, index);
  if (overlap == Overlap::full || overlap == Overlap::partial) raise_overlap(ErrorClass::overlap_partial);
  const Storage& storage = call.state.storages[static_cast<std::size_t>(self.storage)];
  Effect effect =
      filled_at(call, {self.geometry, self.dtype, capacity(storage, self.dtype), elements_of(call.state, self)});
  if (share_memory(self, index))  // the elements that are written depend on earlier writes
    for (Element& element : *effect.written) element.known = false;
  return effect;
}

/// A copy that keeps the order of the dimensions, filled.
Effect index_fill(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  needs_int64(call.tensor(2));
  const Sizes sizes = sizes_of(self.geometry);
  const Sizes strides = dense_strides(sizes, strides_of(self.geometry));
  Effect filled =
      filled_at(call, {geometry_of(sizes, strides), self.dtype, element_count(sizes), elements_of(call.state, self)});
  if (filled.raises) throw Raise{*filled.raises};  // no one can observe what it has written
  Effect effect;
  effect.fresh.push_back({sizes, strides, self.dtype, std::move(*filled.written)});
  return effect;
}

}  // namespace

std::span<const KernelEntry> index_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::index_select, index_select}, KernelEntry{OpId::gather, gather},
                                      KernelEntry{OpId::index_fill_int_Scalar, index_fill},
                                      KernelEntry{OpId::index_fill__int_Scalar, index_fill_}};
  return entries;
}

}  // namespace plumbline::reference
