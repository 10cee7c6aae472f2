// Memory: which storage places a geometry reaches, and how operands overlap.
#include "reference/memory.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace plumbline::reference {

Sizes sizes_of(const Geometry& geometry) {
  Sizes sizes;
  sizes.reserve(geometry.sizes.size());
  for (const auto& size : geometry.sizes) sizes.push_back(size.v);
  return sizes;
}

Sizes strides_of(const Geometry& geometry) {
  Sizes strides;
  strides.reserve(geometry.strides.size());
  for (const auto& stride : geometry.strides) strides.push_back(stride.v);
  return strides;
}

Geometry geometry_of(const Sizes& sizes, const Sizes& strides, std::int64_t offset) {
  Geometry geometry;
  geometry.sizes.assign(sizes.begin(), sizes.end());
  geometry.strides.assign(strides.begin(), strides.end());
  geometry.offset = offset;
  return geometry;
}

std::int64_t element_count(const Sizes& sizes) {
  return std::max<std::int64_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>()), 0);
}

Sizes row_major(const Sizes& sizes) {
  Sizes strides(sizes.size());
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<std::int64_t>(sizes[i], 1);
  }
  return strides;
}

std::vector<std::int64_t> places_of(const Geometry& geometry) {
  std::vector<std::int64_t> places{geometry.offset.v};
  for (int dim = 0; dim < geometry.rank(); ++dim) {
    std::vector<std::int64_t> finer;
    finer.reserve(places.size() * static_cast<std::size_t>(std::max<std::int64_t>(geometry.sizes[dim].v, 0)));
    for (const std::int64_t place : places)
      for (std::int64_t i = 0; i < geometry.sizes[dim].v; ++i) finer.push_back(place + i * geometry.strides[dim].v);
    places = std::move(finer);
  }
  return places;
}

bool is_dense(const Sizes& sizes, const Sizes& strides) {
  if (element_count(sizes) == 0) return true;
  if (sizes.size() == 1) return sizes[0] < 2 || strides[0] == 1;
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (sizes[a] < 2) return false;
    if (sizes[b] < 2) return true;
    return strides[a] < strides[b];
  });
  std::int64_t step = 1;
  for (const std::size_t dim : order) {
    if (sizes[dim] < 2) return true;
    if (strides[dim] != step) return false;
    step *= sizes[dim];
  }
  return true;
}

bool is_row_major(const Sizes& sizes, const Sizes& strides) {
  if (element_count(sizes) == 0) return true;
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != step) return false;
    step *= sizes[i];
  }
  return true;
}

Geometry broadcast_to(const Geometry& geometry, const Sizes& sizes) {
  Geometry stretched = geometry_of(sizes, Sizes(sizes.size(), 0), geometry.offset.v);
  const std::size_t added = sizes.size() - geometry.sizes.size();
  for (std::size_t i = 0; i < geometry.sizes.size(); ++i)
    if (geometry.sizes[i].v == sizes[added + i]) stretched.strides[added + i] = geometry.strides[i];
  return stretched;
}

namespace {

/// The half-open range of places that a tensor reaches.
std::pair<std::int64_t, std::int64_t> extent(const Geometry& geometry) {
  std::int64_t last = geometry.offset.v;
  for (int i = 0; i < geometry.rank(); ++i) last += (geometry.sizes[i].v - 1) * geometry.strides[i].v;
  return {geometry.offset.v, last + 1};
}

bool overlaps_partly(const Tensor& a, const Tensor& b) {
  const Sizes a_sizes = sizes_of(a.geometry);
  const Sizes b_sizes = sizes_of(b.geometry);
  const bool dense = is_dense(a_sizes, strides_of(a.geometry)) && is_dense(b_sizes, strides_of(b.geometry));
  if (!dense || a.storage != b.storage || element_count(a_sizes) == 0 || element_count(b_sizes) == 0) return false;
  const auto [a_begin, a_end] = extent(a.geometry);
  const auto [b_begin, b_end] = extent(b.geometry);
  if (a_begin == b_begin && a_end == b_end) return strides_of(a.geometry) != strides_of(b.geometry);
  return a_begin < b_end && b_begin < a_end;
}

}  // namespace

OverlapFacts<Concrete> overlap_facts(const Tensor& written, std::span<const Tensor* const> read, bool idempotent) {
  OverlapFacts<Concrete> facts;
  facts.idempotent = idempotent;
  const Sizes sizes = sizes_of(written.geometry);
  const Sizes strides = strides_of(written.geometry);
  if (is_dense(sizes, strides) && std::none_of(read.begin(), read.end(), [&](const Tensor* t) {
        return t != &written && t->storage == written.storage;
      }))
    return facts;
  bool repeats = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) repeats = repeats || (strides[i] == 0 && sizes[i] > 1);
  facts.repeats = repeats && !is_dense(sizes, strides);
  bool partial = false;
  for (const Tensor* tensor : read) partial = partial || (tensor != &written && overlaps_partly(written, *tensor));
  facts.partial = partial;
  facts.hidden = true;  // whether anything really depends on the order, `order_dependent` tells by enumeration
  return facts;
}

std::vector<bool> order_dependent(const Tensor& written, std::span<const Tensor> read) {
  const std::vector<std::int64_t> places = places_of(written.geometry);
  std::unordered_map<std::int64_t, std::size_t> writer;  // which element writes a place, and kNobody: several do
  constexpr std::size_t kSeveral = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [at, fresh] = writer.emplace(places[i], i);
    if (!fresh) at->second = kSeveral;
  }
  std::vector<bool> depends(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) depends[i] = writer.at(places[i]) == kSeveral;
  for (const Tensor& tensor : read) {
    if (tensor.storage != written.storage) continue;
    const std::vector<std::int64_t> sources = places_of(tensor.geometry);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto found = writer.find(sources[i]);
      if (found != writer.end() && found->second != i) depends[i] = true;
    }
  }
  return depends;
}

}  // namespace plumbline::reference
